import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';

export const adminLoginPage: RouteObject = {
  path: '/admin/login',
  ...page(() => import('./login-page.tsx'), 'AdminLoginPage'),
};

export const adminAuthPages: RouteObject[] = [
  {
    path: '/admin/password/update',
    ...page(() => import('./password-pages.tsx'), 'AdminPasswordPage'),
  },
  {
    path: '/admin/password/complete',
    ...page(() => import('./password-pages.tsx'), 'AdminPasswordCompletePage'),
  },
];
