import type { PartnerRows } from '@portal/service-kit';
import type { TenantDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<TenantDb> = {
  deleted: [
    'stored_files',
    'licence_holders',
    'licence_use',
    'licence_holds',
    'daily_usage',
    'quarter_usage',
    'partner_groups',
    'daily_mails',
    'daily_pushes',
    'bounces',
    'sign_ups',
    'document_databases',
  ],
  kept: {
    partners: 'this service deletes a partner itself, and tells of it',
    licence_changes: 'the log of licences outlives the partners',
    sign_up_addresses: 'an address that had a trial or a free account gets no other',
    partner_units: 'says who sees the log of licences',
  },
};
