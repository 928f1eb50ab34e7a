import { Outlet, type RouteObject, ScrollRestoration } from 'react-router-dom';
import { heldByTenant } from '../components/held-by-tenant.ts';
import { accountPages, requiredSetupPage } from '../features/account/routes.tsx';
import { platformAdminPages } from '../features/admin/admins/routes.tsx';
import { applicationPages, salesApplicationPages } from '../features/admin/applications/routes.tsx';
import { adminAuthPages, adminLoginPage } from '../features/admin/auth/routes.tsx';
import { operatorCertificationPages } from '../features/admin/certification/routes.tsx';
import { databasePages } from '../features/admin/databases/routes.tsx';
import { adminHomePages } from '../features/admin/home/routes.tsx';
import { licenceLogPages } from '../features/admin/licence-logs/routes.tsx';
import { adminLogPages } from '../features/admin/logs/routes.tsx';
import { unitAdminPages } from '../features/admin/outsourcing/admins/routes.tsx';
import { unitPages } from '../features/admin/outsourcing/routes.tsx';
import { partnerAdminPages } from '../features/admin/partner-admins/routes.tsx';
import { tenantPages } from '../features/admin/partners/routes.tsx';
import { documentPages, tenantDocumentPages } from '../features/documents/editor/routes.tsx';
import { exportPages } from '../features/notices/routes.tsx';
import { companyAdminPages } from '../features/partner/admins/routes.tsx';
import { approvalPages } from '../features/partner/approvals/routes.tsx';
import { partnerAuthPages, partnerLoginPage } from '../features/partner/auth/routes.tsx';
import { calendarPages } from '../features/partner/calendar/routes.tsx';
import { certificationPages, tenantCertificationPages } from '../features/partner/certifications/routes.tsx';
import { deliverySettingsPages } from '../features/partner/delivery-settings/routes.tsx';
import { filePages, tenantFilePages } from '../features/partner/files/routes.tsx';
import { groupPages, tenantGroupPages } from '../features/partner/groups/routes.tsx';
import { homePages } from '../features/partner/home/routes.tsx';
import { partnerLogPages } from '../features/partner/logs/routes.tsx';
import { notificationPages } from '../features/partner/push-notifications/routes.tsx';
import { ssoPages, tenantSsoPages } from '../features/partner/sso/routes.tsx';
import { summaryPages } from '../features/partner/summary/routes.tsx';
import { tenantUserPages, userPages } from '../features/partner/users/routes.tsx';
import { passwordLinkPages } from '../features/password/routes.tsx';
import { signUpPages } from '../features/sign-up/routes.tsx';
import { page } from '../lib/route-page.ts';
import type { SessionKind } from '../lib/session/session-store.ts';
import { PageSpinner } from '../ui/feedback/states.tsx';
import { GuestOnly, RequireSession, RequireSessionOrKey, SettingUp, Start } from './guards.tsx';
import { PublicLayout } from './layouts/public-layout.tsx';
import { SetupLayout } from './layouts/setup-layout.tsx';
import { CrashPage } from './pages/crash-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';

/** Pages of a feature are added to their area here; see README.md. */
const adminPages: RouteObject[] = [
  adminHomePages,
  ...adminAuthPages,
  accountPages('admin'),
  exportPages('admin'),
  unitPages,
  unitAdminPages,
  platformAdminPages,
  tenantPages,
  heldByTenant([
    tenantFilePages,
    tenantUserPages,
    tenantGroupPages,
    tenantCertificationPages,
    tenantSsoPages,
    tenantDocumentPages,
  ]),
  partnerAdminPages,
  databasePages,
  applicationPages,
  salesApplicationPages,
  licenceLogPages,
  adminLogPages,
  operatorCertificationPages,
];

const partnerPages: RouteObject[] = [
  homePages,
  ...partnerAuthPages,
  accountPages('partner'),
  exportPages('partner'),
  filePages,
  calendarPages,
  userPages,
  groupPages,
  partnerLogPages,
  companyAdminPages,
  summaryPages,
  notificationPages,
  certificationPages,
  ssoPages,
  deliverySettingsPages,
  approvalPages,
];

const guarded = (area: SessionKind, children: RouteObject[]): RouteObject => ({
  ...page(() => import('./layouts/shell.tsx'), 'Shell'),
  children: [
    {
      ErrorBoundary: CrashPage,
      // An unknown address inside the area keeps its header and its navigation.
      children: [...children, { path: `/${area}/*`, Component: NotFoundPage }],
    },
  ],
});

const editor: RouteObject = {
  ...page(() => import('./layouts/editor-frame.tsx'), 'EditorFrame'),
  children: [{ ErrorBoundary: CrashPage, children: [documentPages] }],
};

const setup = (kind: SessionKind): RouteObject => ({
  element: <SettingUp kind={kind} />,
  children: [{ Component: SetupLayout, children: [requiredSetupPage(kind)] }],
});

/** A page begins at its top, and is where it was when one comes back to it. */
function Root() {
  return (
    <>
      <ScrollRestoration />
      <Outlet />
    </>
  );
}

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: CrashPage,
    HydrateFallback: PageSpinner,
    children: [
      { path: '/', Component: Start },
      {
        Component: PublicLayout,
        children: [
          { element: <GuestOnly kind="admin" />, children: [adminLoginPage] },
          { element: <GuestOnly kind="partner" />, children: [partnerLoginPage] },
          passwordLinkPages,
          signUpPages,
          setup('admin'),
          setup('partner'),
          { path: '*', Component: NotFoundPage },
        ],
      },
      { element: <RequireSession kind="admin" />, children: [guarded('admin', adminPages)] },
      { element: <RequireSession kind="partner" />, children: [guarded('partner', partnerPages)] },
      { element: <RequireSessionOrKey />, children: [editor] },
    ],
  },
];
