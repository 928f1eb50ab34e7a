import type { PartnerRows } from '@portal/service-kit';
import { endPartnerSessions } from '../use-cases/end-sessions.ts';
import type { IdentityDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<IdentityDb> = {
  deleted: [
    // They go once their last tokens are over: until then it is known that they have ended.
    { table: 'sessions', clearSome: endPartnerSessions },
    'account_endings',
    'password_links',
    'reset_mails',
    'linked_identities',
    'known_devices',
    'preferences',
    'two_factors',
    'recovery_codes',
    'challenges',
    'security_settings',
    'sso_settings',
  ],
};
