import { account } from './account.ts';
import { adminHome } from './admin-home.ts';
import { administrators } from './administrators.ts';
import { applications } from './applications.ts';
import { approvals } from './approvals.ts';
import { auth } from './auth.ts';
import { calendar } from './calendar.ts';
import { certificates } from './certificates.ts';
import { certifications } from './certifications.ts';
import { companyAdmins } from './company-admins.ts';
import { databases } from './databases.ts';
import { delivery } from './delivery.ts';
import { deliverySettings } from './delivery-settings.ts';
import { documents } from './documents.ts';
import { effect } from './effect.ts';
import { files } from './files.ts';
import { groups } from './groups.ts';
import { home } from './home.ts';
import { licenceLogs } from './licence-logs.ts';
import { operationLogs } from './operation-logs.ts';
import { ownNotices } from './own-notices.ts';
import { palette } from './palette.ts';
import { partnerForm } from './partner-form.ts';
import { partners } from './partners.ts';
import { password } from './password.ts';
import { platformAdmins } from './platform-admins.ts';
import { pushNotifications } from './push-notifications.ts';
import { rollout } from './rollout.ts';
import { salesApplications } from './sales-applications.ts';
import { secondStep } from './second-step.ts';
import { shell } from './shell.ts';
import { signUp } from './sign-up.ts';
import { sso } from './sso.ts';
import { ssoGuide } from './sso-guide.ts';
import { ssoSignIn } from './sso-sign-in.ts';
import { summary } from './summary.ts';
import { tenantMenu } from './tenant-menu.ts';
import { ui } from './ui.ts';
import { unitAdmins } from './unit-admins.ts';
import { units } from './units.ts';
import { userImport } from './user-import.ts';
import { users } from './users.ts';

/** Every text in the default language; its shape is what the other languages must have. */
export const ja = {
  account,
  adminHome,
  administrators,
  applications,
  approvals,
  auth,
  calendar,
  certificates,
  certifications,
  companyAdmins,
  databases,
  delivery,
  deliverySettings,
  documents,
  effect,
  files,
  groups,
  home,
  licenceLogs,
  operationLogs,
  ownNotices,
  palette,
  partnerForm,
  partners,
  password,
  platformAdmins,
  pushNotifications,
  rollout,
  salesApplications,
  secondStep,
  shell,
  signUp,
  sso,
  ssoGuide,
  ssoSignIn,
  summary,
  tenantMenu,
  ui,
  unitAdmins,
  units,
  userImport,
  users,
};
