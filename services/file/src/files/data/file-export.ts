import { fileRoutes } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import { deliveryType, filesOf } from '../../applications/data/reach.ts';
import { everyone } from '../../assignments/domain/everyone.ts';
import { whereFiles } from './file-filters.ts';
import { everyoneName } from './file-views.ts';

/** files.csv: the file list as it is at the moment of writing. */
export const fileExport = ({ clock }: { clock: Clock }): CsvExport => ({
  kind: 'files',
  encoding: 'shiftJis',
  rows({ filter = {}, language, partnerId }) {
    if (partnerId === null) throw new Error('Files are of a partner');
    const now = clock.now();
    const updated = sql`file.reserved_version_id IS NOT NULL AND file.update_reservation_at <= ${now}`;
    const { ids, ...asked } = fileRoutes.fileExportFilters.parse(filter);
    const only =
      ids === undefined ? sql`` : sql`AND file.id = ANY(string_to_array(${ids.join(',')}, ',')::integer[])`;
    const wanted = whereFiles(partnerId, asked, now);
    return {
      columns: sql`
        file.id AS "id",
        ${csvText(sql`file.name`)} AS "name",
        ${csvText(sql`file.note`)} AS "note",
        ${csvText(sql`file.file_name`)} AS "file_name",
        coalesce(version.size, 0) AS "file_size",
        file.version + CASE WHEN ${updated} THEN 1 ELSE 0 END AS "version",
        CASE WHEN file.current_version_id IS NOT NULL THEN 'complete'
          WHEN version.status = 'aborted' THEN 'aborted' ELSE 'uploading' END AS "upload_status",
        CASE WHEN file.sale_type = ${deliveryType} THEN ${everyoneName[language]} ELSE (SELECT ${csvText(sql`string_agg(
            CASE assignment.group_id WHEN ${everyone} THEN ${everyoneName[language]} ELSE team.name END,
            ',' ORDER BY assignment.group_id)`)}
          FROM assignments assignment LEFT JOIN groups team ON team.group_id = assignment.group_id
          WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id
            AND assignment.removed_in IS NULL) END AS "groups",
        ${csvTime(sql`file.deliver_reservation_at`)} AS "deliver_reservation_at",
        ${csvTime(sql`file.update_reservation_at`)} AS "update_reservation_at",
        ${csvTime(sql`file.created_at`)} AS "created_at",
        ${csvTime(sql`GREATEST(file.updated_at, CASE WHEN ${updated} THEN file.update_reservation_at END)`)} AS "updated_at"`,
      from: sql`${sql.of(filesOf(partnerId, { applications: true }))} file
        JOIN LATERAL (
          SELECT * FROM versions version
          WHERE version.partner_id = file.partner_id AND version.file_id = file.id
            AND (file.current_version_id IS NULL OR version.id = CASE WHEN ${updated}
              THEN file.reserved_version_id ELSE file.current_version_id END)
          ORDER BY version.id DESC LIMIT 1
        ) version ON true
        WHERE ${sql.of(wanted)} ${only}`,
      orderBy: sql`file.id`,
    };
  },
});
