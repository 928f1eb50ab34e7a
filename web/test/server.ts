import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

export const adminReply = {
  access_token: 'admin-token',
  two_factor_setup: false,
  token_type: 'Bearer',
  expires_in: 3600,
  outsourcing_flag: false,
  unit_id: null,
  name: 'Admin',
  email: 'admin@example.com',
  role: 127,
};

export const partnerReply = {
  access_token: 'partner-token',
  two_factor_setup: false,
  token_type: 'Bearer',
  expires_in: 3600,
  partner: {
    id: 7,
    name: 'Sakura',
    partner_code: '1000',
    license_expired_on_unixtime: null,
    contract_rank: 'enterprise',
    license_type: 'user',
    json: '',
  },
  user: {
    id: 1,
    name: 'Hanako',
    email: 'hanako@example.com',
    login_user_id: null,
    role: 268_435_456,
    groups: [],
  },
};

export const group = (id: number, name: string) => ({
  id,
  name,
  note: '',
  role: 0,
  user_count: 0,
  file_count: 0,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
});

export const user = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  email: `user${id}@example.com`,
  login_user_id: null,
  two_factor: false,
  password_set: true,
  active: true,
  setup_mail_sent_at: null,
  role: 0,
  json: null,
  groups: [],
  max_device_count_limited_flag: false,
  max_device_count: 0,
  platforms: [],
  last_login_at: null,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
  ...more,
});

export const file = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  note: '',
  file_name: `${name.toLowerCase()}.uap`,
  file_size: 1536,
  version: 1,
  sha256: null,
  upload_status: 'complete',
  state: 'nobody',
  upload: null,
  deliver_reservation_at: null,
  update_reservation_at: null,
  update_reservation_file_name: null,
  application: false,
  sale_type: null,
  publisher: null,
  groups: [],
  icon_signed_url: null,
  delivery: { devices: 0, installed: 0, on_the_way: 0, failed: 0, not_yet: 0 },
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
  ...more,
});

export const licence = {
  contract_rank: 'standard',
  license_type: 'device',
  license_count: 1200,
  license_expired_on: '2020-01-01T00:00:00Z',
};

export const tenant = {
  ...licence,
  id: 2,
  name: 'Sakura',
  partner_code: 'S-1',
  unit_id: 1,
  unit_name: 'East',
  bounce_count: 3,
  mail_count: 40,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
};

/** The same on a page of its own. */
export const tenantDetail = {
  ...tenant,
  user_device_limit: 0,
  uap_file_limit: 5,
  file_public_flag: false,
  operation_log_download_flag: true,
  email: null,
  partner_item: '',
  json: '{"a":1}',
  comment: '',
  managers: '',
  lang: 'ja',
  time_zone: 'Asia/Tokyo',
  sign_up: null,
  has_data: false,
};

export const summary = (more: object = {}) => ({
  partner_name: 'Sakura',
  partner_code: '1000',
  total_file_size: 0,
  license_count: 10,
  license_remaining: 4,
  api_call_num: 0,
  data_transfer: 0,
  push_notification_num: 0,
  operation_log_download_flag: true,
  file_public_flag: true,
  uap_file_limit: 0,
  uap_file_num: 0,
  license_type: 'user',
  contract_rank: 'enterprise',
  license_expired_on: null,
  allowed_sso_api_flag: false,
  docdb_contract_status: 0,
  docdb_usage_bytes: 0,
  docdb_start_date: null,
  docdb_expire_date: null,
  docdb_api_key: null,
  daily: [],
  ...more,
});

/** One of the operator's, for every company. */
export const application = {
  id: 4,
  name: 'Viewer',
  file_name: 'viewer.uap',
  file_size: 2048,
  sale_type: 1,
  all_deliver_flag: true,
  partners: [],
  partner_count: 0,
  version: 2,
  status: 'published',
  upload: null,
  unit_id: null,
  publisher: null,
  created_at: '2026-11-20T00:00:00Z',
  updated_at: '2026-11-20T00:00:00Z',
};

export const unit = (unit_id: number, unit_name: string, more: object = {}) => ({
  unit_id,
  unit_name,
  allocated_license: 2000,
  consumed_license: 1900,
  owner_partnerid: 0,
  can_force_distribute_app: true,
  partners: [],
  admins: [],
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
  ...more,
});

export const notification = (id: number, more: object = {}) => ({
  id,
  title: `Title ${id}`,
  message: `Message ${id}`,
  status: 'waiting',
  certification_id: null,
  group_id: null,
  groups: [],
  users: [],
  user_count: 0,
  json: null,
  file_id: null,
  deliver_datetime: null,
  started_at: null,
  finished_at: null,
  target_count: 0,
  success_count: 0,
  failure_count: 0,
  failure_reasons: [],
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
  ...more,
});

/** What has become of a file that nobody is to have. */
export const noDelivery = {
  version: null,
  targeted: { users: 0, devices: 0 },
  states: { not_seen: 0, seen: 0, downloading: 0, downloaded: 0, installed: 0, failed: 0, removed: 0 },
  failure_reasons: [],
  versions: [],
  groups: [],
};

/** What a reply with a page of rows has besides them. */
export const onePage = (count: number) => ({ current_page: 1, total_page: 1, total_count: count });

export function failure(code: string, message: string, errors: { field: string; message: string }[] = []) {
  return HttpResponse.json(
    { code, message, errors, request_id: 'request-1' },
    { status: Number(code.slice(1, 4)) },
  );
}

export const storageUse = (usedGib: number, more: object = {}) =>
  http.get('*/v1/partner/partners/7/storage', () =>
    HttpResponse.json({
      quota_bytes: 5 * 1024 ** 3,
      used_bytes: usedGib * 1024 ** 3,
      leaving_bytes: 0,
      ...more,
    }),
  );

export const filesOverview = {
  delivered_today: 0,
  delivered_week: 0,
  reserved_week: 0,
  nobody: 0,
  interrupted: 0,
};

/** What administrators see of a platform with one company. */
export const overview = {
  tenants_by_rank: { free: 0, trial: 0, entry: 0, standard: 1, enterprise: 0 },
  licences: { allocated: 2000, given: 1200, in_use: 7 },
  ending: { count: 0, partners: [] },
  new_tenants: 0,
  failed_mails: 0,
};

export const usersOverview = { total: 0, without_password: 0, last_sign_ins: [] };

const nobody = { users: 0, devices: 0, names: [] };

/** What a preview answers: by itself a change that nobody feels. */
export const effect = (more: object = {}) => ({
  gains: nobody,
  loses: nobody,
  changes: nobody,
  bytes: 0,
  collisions: [],
  preview_token: 'told',
  expires_at: '2099-01-01T00:00:00Z',
  ...more,
});

/** What every page needs; a test adds what it is about. */
export const server = setupServer(
  http.get('*/version.json', () => HttpResponse.json({ version: '1', built_at: '2026-11-21T00:00:00Z' })),
  http.get('*/v1/oauth2/providers', () => HttpResponse.json({ providers: [] })),
  // The company login asks whether there is another way in.
  http.get('*/v1/user/login/sso/check', () => HttpResponse.json({ use_sso_flag: false })),
  http.get('*/v2/signup/settings', () => HttpResponse.json({ signup_key: 'key', terms_url: null })),
  http.post('*/v1/admin/login', () => HttpResponse.json(adminReply)),
  http.post('*/v2/partner/login', () => HttpResponse.json(partnerReply)),
  http.post('*/v1/partner/login', () => HttpResponse.json(partnerReply)),
  http.get('*/v1/*/preferences', () => HttpResponse.json({})),
  http.put('*/v1/*/preferences', () => HttpResponse.json({})),
  // The bell of the header.
  http.get('*/v1/*/notices', () =>
    HttpResponse.json({ current_page: 1, total_page: 0, total_count: 0, unread_count: 0, notices: [] }),
  ),
  http.post('*/v1/*/logout', () => HttpResponse.json({})),
  // Asked after a refusal, whether the contract is another one by now. A test of an administrator answers for the role.
  http.get('*/v1/token/validate', ({ request }) =>
    request.headers.get('authorization') === 'Bearer partner-token'
      ? HttpResponse.json({ valid: true, kind: 'partner', role: partnerReply.user.role, expires_in: 3600 })
      : undefined,
  ),
  // The navigation asks it whether there are operation logs.
  http.get('*/operation_logs', () => HttpResponse.json({ operation_logs: [], next: null })),
  http.get('*/v1/partner/partners/7/summary', () => failure('E40301', '権限がありません。')),
  http.get('*/v1/partner/partners/2/summary', () => HttpResponse.json(summary())),
  storageUse(0),
  // The home pages, which come after each sign-in.
  http.get('*/v1/admin/overview', () => HttpResponse.json(overview)),
  http.get('*/v1/partner/partners/7/files/overview', () => HttpResponse.json(filesOverview)),
  http.get('*/v1/partner/partners/7/users/overview', () => HttpResponse.json(usersOverview)),
  http.get('*/v1/partner/partners/7/push_notifications/certifications', () =>
    HttpResponse.json({ ...onePage(0), certifications: [] }),
  ),
  http.get('*/v1/admin/push_notifications/certifications', () =>
    HttpResponse.json({ ...onePage(0), certifications: [] }),
  ),
  http.get('*/v1/partner/partners/7/files/:id/versions', () =>
    HttpResponse.json({ ...onePage(0), versions: [] }),
  ),
  http.get('*/v1/partner/partners/7/files/:id/delivery', () => HttpResponse.json(noDelivery)),
  http.get('*/v1/partner/partners/7/users/:id/delivery', () =>
    HttpResponse.json({ ...onePage(0), devices: [] }),
  ),
  // What is told before a change is confirmed, and whether somebody else has to approve it.
  http.post('*/v1/partner/partners/7/files/:id/preview', () => HttpResponse.json(effect())),
  http.get('*/v1/partner/partners/7/delivery_settings', () =>
    HttpResponse.json({ versions_kept: 10, approval_required: false }),
  ),
  http.get('*/v1/partner/partners/7/approvals', () => HttpResponse.json({ ...onePage(0), approvals: [] })),
  http.get('*/v1/partner/partners/7/files', () => HttpResponse.json({ ...onePage(0), files: [] })),
  http.get('*/v1/partner/partners/7/users', () => HttpResponse.json({ ...onePage(0), users: [] })),
  // How many are chosen, which forms count while one chooses.
  http.post('*/v1/partner/partners/7/audience', () => HttpResponse.json({ users: 0, devices: 0 })),
  http.post('*/v1/partner/partners/7/push_notifications/audience', () =>
    HttpResponse.json({ users: 0, people: 0, devices: 0, sends: false }),
  ),
  // What a user's page shows beside the user.
  http.get('*/v1/partner/partners/7/users/:id/files', () => HttpResponse.json({ ...onePage(0), files: [] })),
  http.get('*/v1/partner/partners/7/users/:id/files/ahead', () =>
    HttpResponse.json({ ...onePage(0), files: [] }),
  ),
  http.get('*/v1/partner/partners/7/groups', () =>
    HttpResponse.json({ current_page: 1, total_page: 1, total_count: 1, groups: [group(3, 'Sales')] }),
  ),
  http.get('*/v1/partner/partners/7/groups/3', () => HttpResponse.json(group(3, 'Sales'))),
);
