import type { PartnerRows } from '@portal/service-kit';
import type { BatchDb } from './db.ts';
import { markSomeDeleted } from './person-repository.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<BatchDb> = {
  deleted: [
    {
      table: 'people',
      // Their names stay for as long as the log tells of them.
      clearSome: async ({ db }, some) => markSomeDeleted(db, some),
    },
    'partners',
  ],
  kept: {
    exports: 'they go with their files, after a day',
    'logs.operation_logs': 'the log is kept for a time, whatever becomes of those it tells of',
  },
};
