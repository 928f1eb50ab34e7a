import { foldCase, pushRoutes } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import { inTimeRange } from '@portal/database';
import type { z } from 'zod';
import { Prisma } from '../../data/generated/client.ts';

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

/** As the list has them. */
function conditionsOf({
  createdAtEnd,
  createdAtStart,
  deliverDatetimeEnd,
  deliverDatetimeStart,
  status,
  title,
}: z.output<typeof pushRoutes.notificationFilters>): Prisma.Sql {
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...(title ? [Prisma.sql`strpos(n.title_key, ${foldCase(title)}) > 0`] : []),
      ...(status ? [Prisma.sql`n.status IN (${Prisma.join(status)})`] : []),
      ...inTimeRange(Prisma.sql`n.due_at`, deliverDatetimeStart, deliverDatetimeEnd),
      ...inTimeRange(Prisma.sql`n.created_at`, createdAtStart, createdAtEnd),
    ],
    ' AND ',
  );
}
