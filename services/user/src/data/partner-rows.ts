import type { PartnerRows } from '@portal/service-kit';
import type { UserDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<UserDb> = {
  deleted: [
    'file_mails',
    'file_notices',
    'group_files',
    'group_holds',
    'licence_holds',
    'import_rows',
    'import_errors',
    'import_changes',
    'user_imports',
    'devices',
    'memberships',
    'accounts',
    'groups',
    'user_tallies',
    'partners',
  ],
};
