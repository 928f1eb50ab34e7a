import type { RouteObject } from 'react-router-dom';
import {
  accountPath,
  requiredSetupPath,
  securityPath,
  twoFactorPath,
} from '../../components/account-paths.ts';
import { page, withTexts } from '../../lib/route-page.ts';
import type { SessionKind } from '../../lib/session/session-store.ts';

const security = {
  admin: {
    handle: { needs: 'getPlatformSecuritySettings' },
    ...page(() => import('./security-pages.tsx'), 'AdminSecurityPage'),
  },
  partner: {
    handle: { needs: 'getSecuritySettings' },
    ...page(() => import('./security-pages.tsx'), 'PartnerSecurityPage'),
  },
} as const;

/** What somebody sees to for themselves, and what is asked of all. */
export const accountPages = (kind: SessionKind): RouteObject =>
  withTexts(
    ['account'],
    [
      { path: accountPath(kind), ...page(() => import('./account-page.tsx'), 'AccountPage') },
      {
        path: twoFactorPath(kind),
        ...page(() => import('./two-factor-page.tsx'), 'TwoFactorPage'),
      },
      { path: securityPath(kind), ...security[kind] },
    ],
  );

/** The one page of somebody who has to set two factors up. */
export const requiredSetupPage = (kind: SessionKind): RouteObject =>
  withTexts(
    ['account'],
    [
      {
        path: requiredSetupPath(kind),
        ...page(() => import('./required-setup-page.tsx'), 'RequiredSetupPage'),
      },
    ],
  );
