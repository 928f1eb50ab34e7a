import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import { noticeRoutes } from '../../contracts/index.ts';

/** notices.csv */
export const noticeExport: CsvExport = {
  kind: noticeRoutes.noticesCsv.kind,
  encoding: 'utf8',
  rows({ partnerId }) {
    if (partnerId === null) throw new Error('Notices are of a partner');
    return {
      columns: sql`
        notice.id AS "id",
        ${csvText(sql`notice.name`)} AS "name",
        ${csvText(sql`notice.text`)} AS "text",
        ${csvTime(sql`notice.published_at`)} AS "published_at"`,
      from: sql`notices notice WHERE notice.partner_id = ${partnerId}`,
      orderBy: sql`notice.id`,
    };
  },
};
