import type { PartnerRows } from '@portal/service-kit';
import type { NoticeDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<NoticeDb> = { deleted: ['notices', 'partners'] };
