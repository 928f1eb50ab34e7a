import type { PartnerRows } from '@portal/service-kit';
import { deleteSomeReceipts } from '../receipts/data/receipt-repository.ts';
import { deleteSomeVersions } from '../uploads/data/version-repository.ts';
import type { FileDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<FileDb> = {
  deleted: [
    'memberships',
    'assignments',
    'destinations',
    'former_units',
    'approvals',
    // With what is stored of them.
    { table: 'versions', clearSome: async ({ db }, some) => deleteSomeVersions(db, some) },
    'delivery_settings',
    // In this order: what is counted goes before the counts, which follow it.
    { table: 'receipts', clearSome: async ({ db }, some) => deleteSomeReceipts(db, some) },
    'early_receipts',
    'delivery_counts',
    'delivery_changes',
    'delivery_points',
    'reach_counts',
    'place_counts',
    'rollouts',
    'keepings',
    'keepers',
    'keeper_shapes',
    'keeper_states',
    'tellings',
    'told_people',
    'newcomers',
    'devices',
    'people',
    'audience_places',
    'audiences',
    'calendar_notifications',
    'calendar_certifications',
    'calendar_tokens',
    'files',
    'file_tallies',
    'groups',
    'partners',
  ],
  kept: { removals: 'they go with what they remove from the store' },
};
