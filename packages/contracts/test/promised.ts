/**
 * What the product is to offer, whether it is built or not. `promised.test.ts` compares it with what the contracts declare and the
 * services do, both ways: what is newly built moves from `notYet` to `built`, so that no omission goes unnoticed.
 * Paths are those of their first version; parameters are `{}`, whatever they are called.
 */

const pid = '/v1/partner/partners/{}';
const admin = '/v1/admin/partners/{}';

/** `GET, POST /path` is two routes. */
export const routes = {
  built: [
    // Signing in, passwords and tokens.
    'POST /v1/admin/login',
    'POST /v1/admin/logout',
    'PUT /v1/admin/password',
    'POST /v1/admin/password/reset_mail',
    'PUT /v1/admin/password/reset',
    'GET /v1/password/reset/session',
    'POST /v2/partner/login',
    'POST /v1/partner/logout',
    'POST /v1/user/logout',
    'PUT /v1/partner/password',
    'POST /v1/partner/password/reset_mail',
    'POST /v1/user/password/reset_mail',
    'PUT /v1/partner/password/reset',
    'PUT /v1/user/password/reset',
    'PUT /v1/user/password/init',
    `POST ${pid}/validate_password`,
    `POST ${pid}/users/{}/password/reset_mail`,
    'GET /v1/token/validate',
    'GET /v2/oauth2/token',
    'GET /v1/user/token',
    'GET /.well-known/jwks.json',
    // The operation log on the screen.
    'GET /v1/admin/operation_logs',
    `GET ${pid}/operation_logs`,
    // Sessions and preferences.
    'GET, DELETE /v1/admin/sessions',
    'GET, DELETE /v1/partner/sessions',
    'DELETE /v1/admin/sessions/{}',
    'DELETE /v1/partner/sessions/{}',
    `DELETE ${pid}/users/{}/sessions`,
    'GET, PUT /v1/admin/preferences',
    'GET, PUT /v1/partner/preferences',
    // Notices.
    ...['admin', 'partner'].flatMap((who) => [
      `GET /v1/${who}/notices`,
      `PUT /v1/${who}/notices/read`,
      `GET /v1/${who}/notices/stream`,
    ]),
    // Two factors.
    ...['admin', 'partner'].flatMap((who) => [
      `POST /v1/${who}/login/second_factor`,
      `GET, POST, PUT, DELETE /v1/${who}/two_factor`,
      `POST /v1/${who}/two_factor/recovery_codes`,
    ]),
    `GET, PUT ${pid}/security_settings`,
    'GET, PUT /v1/admin/security_settings',
    `DELETE ${pid}/admins/{}/two_factor`,
    `DELETE ${admin}/admins/{}/two_factor`,
    `DELETE ${pid}/users/{}/two_factor`,
    'DELETE /v1/admin/admins/{}/two_factor',
    // Administrators.
    'GET, POST /v1/admin/admins',
    'GET, PUT, DELETE /v1/admin/admins/{}',
    'GET, POST /v1/admin/outsourcing/units/{}/admins',
    'GET, PUT, DELETE /v1/admin/outsourcing/units/{}/admins/{}',
    // Units, partners and what they use.
    'GET, POST /v1/admin/outsourcing/units',
    'GET, PUT, DELETE /v1/admin/outsourcing/units/{}',
    'GET /v1/admin/outsourcing/units/{}/partners',
    'GET, POST /v1/admin/partners',
    'GET, PUT, DELETE /v1/admin/partners/{}',
    `GET ${admin}/bounce_info`,
    ...['/v1/admin', admin].flatMap((of) => [
      `GET ${of}/license_updated_logs`,
      `GET ${of}/license_updated_logs/csv`,
    ]),
    'GET /v1/admin/overview',
    'GET /v2/partner/lic',
    // Companies that come by themselves.
    'POST /v2/trial',
    'POST /v2/signup',
    'PUT /v2/signup/activate',
    'GET /v2/signup/settings',
    'POST /v2/signup/social',
    'POST /v1/oauth2/token/validate',
    'GET /v1/oauth2/providers',
    'GET /v1/oauth2/{}/authorize',
    'GET /v1/oauth2/callback',
    `GET, POST, DELETE ${admin}/admins`,
    `GET, PUT ${admin}/admins/{}`,
    `GET ${admin}/admins/csv`,
    `GET, POST, DELETE ${pid}/admins`,
    `GET, PUT ${pid}/admins/{}`,
    `GET ${pid}/admins/csv`,
    `GET ${pid}/summary`,
    `GET ${pid}/storage`,
    // Groups, users, devices and imports.
    `GET, POST, DELETE ${pid}/groups`,
    `GET, PUT, DELETE ${pid}/groups/{}`,
    `POST, DELETE ${pid}/groups/{}/users`,
    `GET ${pid}/groups/csv`,
    `GET, POST, DELETE ${pid}/users`,
    `GET, PUT ${pid}/users/{}`,
    `GET ${pid}/users/overview`,
    `POST ${pid}/users/groups`,
    `POST ${pid}/users/setup_mails`,
    `POST ${pid}/audience`,
    `GET ${pid}/users/{}/files`,
    `POST, DELETE ${pid}/users/csv`,
    `GET ${pid}/users/csv/status`,
    `GET ${pid}/users/csv/errors`,
    `GET ${pid}/users/csv/changes`,
    `POST ${pid}/users/csv/apply`,
    'PUT /v1/user/platforms/{}',
    // Files, uploads and delivery.
    `GET, POST ${pid}/files`,
    `GET, PUT, DELETE ${pid}/files/{}`,
    `GET ${pid}/files/overview`,
    `POST ${pid}/files/single`,
    `PUT, DELETE ${pid}/files/{}/reservation`,
    `PUT ${pid}/files/{}/groups`,
    'GET /v1/user/files',
    'GET /v1/user/files/{}',
    'GET /v1/signer',
    'GET /storage/templates/{}',
    'POST /v1/uploads/{}/parts',
    'GET, DELETE /v1/uploads/{}',
    'POST /v1/uploads/{}/complete',
    // Applications of the operator.
    'GET, POST /v1/admin/applications',
    'GET, PUT, DELETE /v1/admin/applications/{}',
    // Exports.
    ...[`${pid}/files`, `${pid}/users`, `${pid}/operation_logs`].flatMap(batches),
    ...['/v1/admin/partners', '/v1/admin/operation_logs'].flatMap(batches),
    // A demo without a mail server.
    'GET /dev/mailbox',
  ],
  notYet: {
    push: [
      'POST /v1/pem',
      `GET, POST ${pid}/push_notifications`,
      `GET, PUT, DELETE ${pid}/push_notifications/{}`,
      ...batches(`${pid}/push_notifications`),
      `GET, POST ${pid}/push_notifications/certifications`,
      `GET, PUT, DELETE ${pid}/push_notifications/certifications/{}`,
      `GET ${pid}/push_notifications/certifications/csv`,
      'GET, POST, PUT /v1/admin/push_notifications/certifications',
    ],
    'single sign-on': [
      `GET, POST, PUT ${pid}/sso`,
      `GET, POST, PUT, DELETE ${admin}/sso`,
      'GET /v1/user/login/sso/check',
      'GET /v1/user/login/sso',
      'POST /v1/user/login/sso/acs',
      'POST /v1/user/login/sso/token',
      'GET /v1/user/login/sso/metadata',
    ],
    'document databases': [
      'GET /api/v2/admin/databases',
      'GET, POST, PUT, DELETE /api/v2/admin/databases/{}',
      'PUT /api/v2/admin/databases/{}/apikey',
      'GET, POST /api/v2/{}/collection',
      'DELETE /api/v2/{}/collection/{}',
      'GET, POST /api/v2/{}/collection/{}/documents',
      'GET, PUT, DELETE /api/v2/{}/collection/{}/documents/{}',
      'POST /api/v2/{}/collection/{}/import',
      'GET /api/v2/{}/collection/{}/export',
      'GET /api/v2/{}/apikey',
      'GET /collections',
    ],
  },
} as const satisfies Promised;

function batches(rows: string): string[] {
  const path = `${rows}/csv/batches`;
  return [`GET, POST ${path}`, `GET, DELETE ${path}/{}`, `GET ${path}/{}/url`];
}

export const events = {
  built: [
    'unit.created',
    'partner.created',
    'partner.signed_up',
    'admin.created',
    'session.started',
    'session.revoked',
    'password.reset_requested',
    'password.changed',
    'two_factor.changed',
    'setup_mails.sent',
    'group.created',
    'group.updated',
    'group.deleted',
    'user.created',
    'user.updated',
    'user.deleted',
    'setup_mails.requested',
    'device.registered',
    'device.removed',
    'users.imported',
    'upload.started',
    'file.uploaded',
    'file.updated',
    'file.assigned',
    'file.delivered',
    'file.version_released',
    'file.deleted',
    'application.published',
    'application.updated',
    'application.withdrawn',
    'application.deleted',
    'csv.requested',
    'csv.progressed',
    'csv.completed',
    'csv.failed',
    'export.ready',
    'import.ended',
    'upload.failed',
    'licence.ending',
    'partner.licence_changed',
    'operation.logged',
    'mail.requested',
    'mail.sent',
    'mail.bounced',
    'admin.updated',
    'admin.deleted',
    'unit.updated',
    'unit.deleted',
    'partner.updated',
    'partner.deleted',
    // For many people at once.
    'users.created',
    'users.updated',
    'users.deleted',
    // Between services alone.
    'password.reset_asked',
    'sign_outs.settled',
    'user.signed_out',
    'users.signed_out',
    'upload.completed',
    'demo_users.requested',
    'company_admin.requested',
    'licence_hold.asked',
    'licence_hold.answered',
    'licence_hold.ended',
  ],
  notYet: {
    'groups of very many users': ['users.groups_changed'],
    push: [
      'notification.scheduled',
      'notification.updated',
      'notification.deleted',
      'notification.delivering',
      'notification.delivered',
      'notification.failed',
      'device.unreachable',
      'certification.created',
      'certification.updated',
      'certification.deleted',
    ],
    'single sign-on': ['setting.created', 'setting.updated', 'setting.deleted'],
    'document databases': [
      'database.created',
      'database.updated',
      'database.deleted',
      'collection.created',
      'collection.deleted',
      'documents.imported',
    ],
  },
} as const satisfies Promised;

/** What is raised somewhere. */
export const codes = {
  built: [
    ...['E40001', 'E40002', 'E40003', 'E40004', 'E40005', 'E40006', 'E40007', 'E40008', 'E40009', 'E40010'],
    ...['E40014', 'E40015', 'E40016', 'E40017', 'E40018', 'E40019', 'E40020', 'E40021', 'E40022', 'E40023'],
    ...['E40024', 'E40025', 'E40026', 'E40027', 'E40028', 'E40029', 'E40031', 'E40032', 'E40033', 'E40034'],
    ...['E40035', 'E40036'],
    ...['E40101', 'E40102', 'E40103', 'E40301', 'E40302', 'E40304', 'E40305', 'E40306', 'E40307'],
    ...['E40310', 'E40311', 'E40312'],
    ...['E40401', 'E40402', 'E40403', 'E40404', 'E40405', 'E50001', 'E50301'],
  ],
  notYet: {
    push: ['E40030'],
    'single sign-on': ['E40037'],
  },
} as const satisfies Promised;

export interface Promised {
  readonly built: readonly string[];
  /** By the part of the product that they come with. */
  readonly notYet: Readonly<Record<string, readonly string[]>>;
}
