import { userRoleBits } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';

const { admin, developer, pushApi } = userRoleBits;

/** users.csv: the columns of an import, which has no passwords to tell, and unless it is for one what else is known. */
export const userExport: CsvExport = {
  kind: 'users',
  encoding: 'utf8',
  rows({ forImport, partnerId }) {
    if (partnerId === null) throw new Error('Users are of a partner');
    const importColumns = sql`
      ${csvText(sql`account.name`)} AS "name",
      ${csvText(sql`account.email`)} AS "email",
      ${csvText(sql`account.login_user_id`)} AS "login_user_id",
      NULL AS "password",
      ${csvText(sql`account.json`)} AS "json",
      team.ids AS "group_ids",
      0 AS "delete_flag"`;
    const accounts = sql`accounts account
      LEFT JOIN (
        SELECT account_id, string_agg(group_id::text, ',' ORDER BY group_id) AS ids
        FROM memberships WHERE partner_id = ${partnerId} GROUP BY account_id
      ) team ON team.account_id = account.id`;
    const ofTenant = sql`WHERE account.partner_id = ${partnerId} AND account.is_user`;
    const orderBy = sql`account.id`;
    if (forImport) return { columns: importColumns, from: sql`${accounts} ${ofTenant}`, orderBy };
    return {
      columns: sql`${importColumns},
        account.id AS "id",
        CASE account.role WHEN 0 THEN 'user' ELSE concat_ws(',',
          CASE WHEN account.role & ${admin} <> 0 THEN 'admin' END,
          CASE WHEN account.role & ${developer} <> 0 THEN 'developer' END,
          CASE WHEN account.role & ${pushApi} <> 0 THEN 'push_api' END) END AS "roles",
        ${csvText(sql`player.names`)} AS "devices",
        ${csvTime(sql`account.created_at`)} AS "created_at",
        ${csvTime(sql`account.last_login_at`)} AS "last_login_at"`,
      from: sql`${accounts}
        LEFT JOIN (
          SELECT account_id, string_agg(name, ',' ORDER BY created_at, uuid) AS names
          FROM devices WHERE partner_id = ${partnerId} GROUP BY account_id
        ) player ON player.account_id = account.id
        ${ofTenant}`,
      orderBy,
    };
  },
};
