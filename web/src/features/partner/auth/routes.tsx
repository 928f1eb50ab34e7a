import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';

export const partnerLoginPage: RouteObject = {
  path: '/partner/login',
  ...page(() => import('./login-page.tsx'), 'PartnerLoginPage'),
};

export const partnerAuthPages: RouteObject[] = [
  {
    path: '/partner/password/update',
    ...page(() => import('./password-pages.tsx'), 'PartnerPasswordPage'),
  },
  {
    path: '/partner/password/complete',
    ...page(() => import('./password-pages.tsx'), 'PartnerPasswordCompletePage'),
  },
];
