import type { PartnerRows } from '@portal/service-kit';
import type { MailDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<MailDb> = {
  deleted: ['notice_reads', 'notices', 'mails', 'bounces', 'mailbox_entries', 'partners'],
};
