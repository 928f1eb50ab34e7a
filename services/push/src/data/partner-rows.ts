import type { PartnerRows } from '@portal/service-kit';
import type { PushDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<PushDb> = {
  deleted: [
    'pushbox_entries',
    'deliveries',
    'delivery_pages',
    'delivery_runs',
    'file_pushes',
    'notifications',
    'certification_secrets',
    'certifications',
    'devices',
    'memberships',
    'people',
    'groups',
    // After what their triggers are of.
    'audience_counts',
    'ended_tokens',
    'partners',
  ],
};
