import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../../../lib/route-page.ts';
import type { Call } from '../../../lib/session/calls.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { ssoFlow, ssoPaths, tenantSsoFlow, tenantSsoPaths } from './sso-paths.ts';

const formPage = (name: keyof typeof import('./form-pages.tsx')) =>
  page(() => import('./form-pages.tsx'), name);

const pagesAt = (paths: typeof ssoPaths, flow: typeof ssoFlow, reads: Call, changes: Call): RouteObject =>
  withTexts(
    ['sso', 'ssoGuide', 'certificates'],
    [
      { path: paths.home, handle: { needs: reads }, ...page(() => import('./sso-page.tsx'), 'SsoPage') },
      { path: paths.test, handle: { needs: reads }, ...page(() => import('./test-page.tsx'), 'SsoTestPage') },
      {
        element: <FlowRoute flow={flow} />,
        handle: { needs: changes },
        children: [
          { path: paths.form, ...formPage('SsoFormPage') },
          { path: paths.confirm, ...formPage('SsoConfirmPage') },
          { path: paths.complete, ...formPage('SsoCompletePage') },
        ],
      },
    ],
  );

export const ssoPages = pagesAt(ssoPaths, ssoFlow, 'getSso', 'updateSso');
/** The same for administrators, of the company that the address names. */
export const tenantSsoPages = pagesAt(tenantSsoPaths, tenantSsoFlow, 'getPartnerSso', 'updatePartnerSso');
