import { tenantRoutes } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import { firstDayOfMails } from './mail-repository.ts';
import { wherePartners } from './partner-views.ts';

/** partners.csv: the partners that an administrator may see, with all that they may see of them. */
export const partnerExport = (clock: Clock): CsvExport => ({
  kind: 'partners',
  encoding: 'utf8',
  rows: ({ filter = {} }) => ({
    columns: sql`
      p.partner_id AS "id",
      ${csvText(sql`p.name`)} AS "name",
      ${csvText(sql`p.partner_code`)} AS "partner_code",
      p.unit_id AS "unit_id",
      ${csvText(sql`unit.name`)} AS "unit_name",
      p.contract_rank AS "contract_rank",
      p.license_type AS "license_type",
      p.license_count AS "license_count",
      ${csvTime(sql`p.license_expired_on`)} AS "license_expired_on",
      p.user_device_limit AS "user_device_limit",
      p.uap_file_limit AS "uap_file_limit",
      ${trueFalse('file_public_flag')},
      ${trueFalse('operation_log_download_flag')},
      ${csvText(sql`p.email`)} AS "email",
      ${csvText(sql`p.partner_item`)} AS "partner_item",
      ${csvText(sql`p.json`)} AS "json",
      ${csvText(sql`p.comment`)} AS "comment",
      ${csvText(sql`p.managers`)} AS "managers",
      p.lang AS "lang",
      p.time_zone AS "time_zone",
      (SELECT coalesce(sum(sent), 0) FROM daily_mails mails
        WHERE mails.partner_id = p.partner_id AND mails.day >= ${firstDayOfMails(clock.now())}::date) AS "mail_count",
      p.bounce_count AS "bounce_count",
      ${csvTime(sql`p.created_at`)} AS "created_at",
      ${csvTime(sql`p.updated_at`)} AS "updated_at",
      ${csvText(sql`signed.email`)} AS "sign_up_email",
      ${csvText(sql`signed.first_name`)} AS "first_name",
      ${csvText(sql`signed.last_name`)} AS "last_name",
      ${csvText(sql`signed.tel`)} AS "tel",
      signed.purpose AS "purpose",
      ${csvTime(sql`signed.agreed_to_terms_at`)} AS "agreed_to_terms_at",
      ${csvTime(sql`signed.activated_at`)} AS "activated_at"`,
    from: sql`partners p JOIN units unit ON unit.id = p.unit_id LEFT JOIN sign_ups signed ON signed.partner_id = p.partner_id ${sql.of(wherePartners(tenantRoutes.partnerFilters.parse(filter)))}`,
    orderBy: sql`p.partner_id`,
  }),
});

/** `true` and `false` as on the wire, where PostgreSQL says `t` and `f`. */
function trueFalse(column: string) {
  return sql.raw(`p.${column}::text AS "${column}"`);
}
