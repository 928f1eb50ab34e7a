import { userRoleBits, userRoutes } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, type Sql, sql } from '@portal/csv-export';
import { conditionsOn } from './user-filters.ts';

const { admin, developer, pushApi } = userRoleBits;

/** users.csv: the columns of an import, which has no passwords to tell, and unless it is for one what else is known. */
export const userExport: CsvExport = {
  kind: 'users',
  encoding: 'utf8',
  rows({ filter = {}, forImport, partnerId }) {
    if (partnerId === null) throw new Error('Users are of a partner');
    const importColumns = sql`
      ${csvText(sql`a.name`)} AS "name",
      ${csvText(sql`a.email`)} AS "email",
      ${csvText(sql`a.login_user_id`)} AS "login_user_id",
      NULL AS "password",
      ${csvText(sql`a.json`)} AS "json",
      ${groupsOfMarks(partnerId)} AS "group_ids",
      0 AS "delete_flag"`;
    const { ids, ...asked } = userRoutes.userExportFilters.parse(filter);
    const only =
      ids === undefined ? sql`` : sql`AND a.id = ANY(string_to_array(${ids.join(',')}, ',')::integer[])`;
    const ofTenant = sql`WHERE ${sql.of(conditionsOn(partnerId, asked))} ${only}`;
    const orderBy = sql`a.id`;
    if (forImport) return { columns: importColumns, from: sql`accounts a ${ofTenant}`, orderBy };
    return {
      columns: sql`${importColumns},
        a.id AS "id",
        CASE a.role WHEN 0 THEN 'user' ELSE concat_ws(',',
          CASE WHEN a.role & ${admin} <> 0 THEN 'admin' END,
          CASE WHEN a.role & ${developer} <> 0 THEN 'developer' END,
          CASE WHEN a.role & ${pushApi} <> 0 THEN 'push_api' END) END AS "roles",
        ${csvText(sql`player.names`)} AS "devices",
        ${csvTime(sql`a.created_at`)} AS "created_at",
        ${csvTime(sql`a.last_login_at`)} AS "last_login_at"`,
      from: sql`accounts a
        LEFT JOIN (
          SELECT account_id, string_agg(name, ',' ORDER BY created_at, uuid) AS names
          FROM devices WHERE partner_id = ${partnerId} GROUP BY account_id
        ) player ON player.account_id = a.id
        ${ofTenant}`,
      orderBy,
    };
  },
};

/** The ids of a user's groups, ascending. The account has them as `,3,7,` unless they are many; joining them takes a quarter of an export. */
function groupsOfMarks(partnerId: number): Sql {
  return sql`CASE
    WHEN a.group_marks IS NULL THEN (
      SELECT string_agg(group_id::text, ',' ORDER BY group_id) FROM memberships
      WHERE partner_id = ${partnerId} AND account_id = a.id)
    ELSE nullif(btrim(a.group_marks, ','), '') END`;
}
