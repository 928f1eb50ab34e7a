import { pushRoutes } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import { conditionsOf } from './notification-filters.ts';

/** push_notifications.csv */
export const notificationExport: CsvExport = {
  kind: 'pushNotifications',
  encoding: 'utf8',
  rows({ filter = {}, partnerId }) {
    if (partnerId === null) throw new Error('Notifications are of a partner');
    const { ids, ...asked } = pushRoutes.notificationExportFilters.parse(filter);
    const only =
      ids === undefined ? sql`` : sql`AND n.id = ANY(string_to_array(${ids.join(',')}, ',')::integer[])`;
    return {
      columns: sql`
        n.id AS "id",
        ${csvText(sql`n.title`)} AS "title",
        ${csvText(sql`n.message`)} AS "message",
        n.status AS "status",
        ${csvTime(sql`n.deliver_datetime`)} AS "deliver_datetime",
        n.target_count AS "target_count",
        n.success_count AS "success_count",
        n.failure_count AS "failure_count",
        ${csvTime(sql`n.created_at`)} AS "created_at"`,
      from: sql`notifications n WHERE n.partner_id = ${partnerId} AND ${sql.of(conditionsOf(asked))} ${only}`,
      orderBy: sql`n.id`,
    };
  },
};
