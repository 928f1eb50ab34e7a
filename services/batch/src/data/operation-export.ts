import { errorCatalogue, isErrorCode, type Language, operationLabels } from '@portal/contracts';
import { type CsvExport, csvText, csvTime, type Sql, sql } from '@portal/csv-export';
import { endingOf } from '../domain/operation-text.ts';

/** operation_logs.csv. */
export const operationExport: CsvExport = {
  kind: 'operationLogs',
  encoding: 'utf8',
  rows({ dateEnd, dateStart, language, partnerId, unitId }) {
    const wanted: Sql[] = [
      ...(partnerId === null ? [] : [sql`log.partner_id = ${partnerId}`]),
      ...(unitId === undefined
        ? []
        : [
            sql`(log.unit_id = ${unitId}
              OR log.partner_id IN (SELECT partner_id FROM partners WHERE unit_id = ${unitId}))`,
          ]),
      ...(dateStart === undefined ? [] : [sql`log.at >= ${new Date(dateStart)}`]),
      ...(dateEnd === undefined ? [] : [sql`log.at < ${new Date(dateEnd)}`]),
    ];
    const where = wanted.reduce((all, one) => sql`${all} AND ${one}`, sql`true`);
    return {
      columns: sql`
        ${csvTime(sql`log.at`)} AS "when",
        ${csvText(sql`coalesce(person.name, log.account_kind || ' ' || log.account_id, log.login)`)} AS "who",
        log.role AS "role",
        ${csvText(sql`log.address`)} AS "address",
        ${csvText(sql`log.agent`)} AS "agent",
        log.operation AS "operation",
        ${csvText(sql`log.target`)} AS "target",
        log.result AS "result",
        ${csvText(textOf(language))} AS "text"`,
      from: sql`logs.operation_logs log
        LEFT JOIN people person ON person.kind = log.account_kind AND person.account_id = log.account_id
        WHERE ${where}`,
      orderBy: sql`log.at, log.event_id`,
    };
  },
};

/** What `operationText` answers, in SQL: PostgreSQL reads the words once for a statement. */
function textOf(language: Language): Sql {
  const labels = Object.entries(operationLabels).map(([name, label]) => [name, label[language]]);
  const endings = Object.keys(errorCatalogue)
    .filter(isErrorCode)
    .map((code) => [code, endingOf(code, language)]);
  const words = (entries: string[][]) => sql`${JSON.stringify(Object.fromEntries(entries))}::jsonb`;
  return sql`coalesce(${words(labels)} ->> log.operation, log.operation)
    || CASE WHEN log.result ~ '^[1-3][0-9][0-9]$' THEN ''
       ELSE coalesce(${words(endings)} ->> log.result, ' ' || log.result) END`;
}
