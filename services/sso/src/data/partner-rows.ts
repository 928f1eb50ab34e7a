import type { PartnerRows } from '@portal/service-kit';
import type { SsoDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<SsoDb> = {
  deleted: [
    'settings',
    'setting_revisions',
    'service_provider_keys',
    'provisioning_tokens',
    'saml_requests',
    'sign_in_codes',
    'seen_messages',
    'sso_sessions',
    'sign_ins',
    'setting_tests',
    'partners',
  ],
};
