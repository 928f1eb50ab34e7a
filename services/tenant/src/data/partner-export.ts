import { type CsvExport, csvText, csvTime, sql } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import { firstDayOfMails } from './mail-repository.ts';

/** partners.csv: the partners that an administrator may see, with all that they may see of them. */
export const partnerExport = (clock: Clock): CsvExport => ({
  kind: 'partners',
  encoding: 'utf8',
  rows: () => ({
    columns: sql`
      partner.partner_id AS "id",
      ${csvText(sql`partner.name`)} AS "name",
      ${csvText(sql`partner.partner_code`)} AS "partner_code",
      partner.unit_id AS "unit_id",
      ${csvText(sql`unit.name`)} AS "unit_name",
      partner.contract_rank AS "contract_rank",
      partner.license_type AS "license_type",
      partner.license_count AS "license_count",
      ${csvTime(sql`partner.license_expired_on`)} AS "license_expired_on",
      partner.user_device_limit AS "user_device_limit",
      partner.uap_file_limit AS "uap_file_limit",
      ${trueFalse('file_public_flag')},
      ${trueFalse('operation_log_download_flag')},
      ${csvText(sql`partner.email`)} AS "email",
      ${csvText(sql`partner.partner_item`)} AS "partner_item",
      ${csvText(sql`partner.json`)} AS "json",
      ${csvText(sql`partner.comment`)} AS "comment",
      ${csvText(sql`partner.managers`)} AS "managers",
      partner.lang AS "lang",
      partner.time_zone AS "time_zone",
      (SELECT coalesce(sum(sent), 0) FROM daily_mails mails
        WHERE mails.partner_id = partner.partner_id AND mails.day >= ${firstDayOfMails(clock.now())}::date) AS "mail_count",
      partner.bounce_count AS "bounce_count",
      ${csvTime(sql`partner.created_at`)} AS "created_at",
      ${csvTime(sql`partner.updated_at`)} AS "updated_at"`,
    from: sql`partners partner JOIN units unit ON unit.id = partner.unit_id`,
    orderBy: sql`partner.partner_id`,
  }),
});

/** `true` and `false` as on the wire, where PostgreSQL says `t` and `f`. */
function trueFalse(column: string) {
  return sql.raw(`partner.${column}::text AS "${column}"`);
}
