import type { PartnerRows } from '@portal/service-kit';
import type { DocumentDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<DocumentDb> = {
  deleted: ['databases', 'database_revisions', 'partners'],
};
