import { batchRoutes } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { deliveryType, filesOf } from '../../applications/data/reach.ts';
import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileStore } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { isDeliveredFile } from '../../files/data/file-states.ts';
import { effectiveVersion } from '../../files/data/file-views.ts';
import { wantedVersion } from '../../rollouts/data/plan-sql.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import { deviceConditions, receiptConditions } from './delivered.ts';

/** delivery.csv: the devices of a delivery as they are at the moment of writing. */
export const deliveryExport = ({
  clock,
  store,
}: {
  readonly clock: Clock;
  readonly store: FileStore;
}): CsvExport => ({
  kind: 'delivery',
  encoding: 'utf8',
  async rows({ filter = {}, partnerId }) {
    if (partnerId === null) throw new Error('Deliveries are of a partner');
    const now = clock.now();
    const { fileId, group, status, targeted, version, ...filters } =
      batchRoutes.deliveryExportFilters.parse(filter);
    // Then those alone who get it as everybody does.
    const isOfAll = group === everyone;
    const plan = await store.read(ofPartner(partnerId), async (db) =>
      findPlan(db, { partnerId, fileId }, now),
    );
    const own = plan
      ? sql.of(
          wantedVersion(plan, {
            id: Prisma.sql`device.id`,
            place: Prisma.sql`device.place`,
            groupIds: Prisma.sql`audience.group_ids`,
          }),
        )
      : sql.of(effectiveVersion(now));
    const state = sql`coalesce(receipt.status, 'not_seen')`;
    return {
      columns: sql`
        device.user_id AS "user_id",
        ${csvText(sql`person.name`)} AS "user_name",
        ${csvText(sql`person.login_id`)} AS "login_id",
        ${csvText(sql`device.uuid`)} AS "device_uuid",
        ${csvText(sql`device.name`)} AS "device_name",
        ${csvText(sql`device.os_type`)} AS "os_type",
        ${csvText(sql`device.os_version`)} AS "os_version",
        ${csvText(sql`device.player_version`)} AS "player_version",
        wanted.version AS "version",
        ${state} AS "status",
        ${csvText(sql`receipt.reason`)} AS "reason",
        receipt.told_by AS "told_by",
        ${csvTime(sql`receipt.at`)} AS "at"`,
      from: sql`${sql.of(filesOf(partnerId, { applications: true }))} file
        JOIN devices device ON device.partner_id = ${partnerId}
        JOIN audiences audience ON audience.id = device.audience_id
        CROSS JOIN LATERAL (SELECT ${own} AS version) own
        CROSS JOIN LATERAL (SELECT ${version === undefined ? sql`own.version` : sql`${version}::integer`} AS version) wanted
        LEFT JOIN people person ON person.user_id = device.user_id
        LEFT JOIN receipts receipt ON receipt.file_id = file.id AND receipt.version = wanted.version
          AND receipt.device_id = device.id
        WHERE file.id = ${fileId} AND ${sql.of(isDeliveredFile(now))}
          AND (file.sale_type = ${deliveryType} OR EXISTS (
            SELECT FROM assignments assignment
            WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id AND assignment.removed_in IS NULL
              AND (assignment.group_id = ${everyone} OR ${isOfAll ? sql`false` : sql`assignment.group_id = ANY (audience.group_ids)`})))
          AND ${group === undefined || isOfAll ? sql`true` : sql`${group} = ANY (audience.group_ids)`}
          AND (wanted.version = own.version OR ${targeted ? sql`false` : sql`receipt.status <> 'seen'`})
          AND ${status === undefined ? sql`true` : sql`${state} = ANY (string_to_array(${status.join()}, ','))`}
          AND ${sql.of(deviceConditions(partnerId, filters))} AND ${sql.of(receiptConditions(filters))}`,
      orderBy: sql`receipt.at DESC NULLS LAST, device.id DESC`,
    };
  },
});
