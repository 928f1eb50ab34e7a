import { foldCase, type operationRoutes, type RouteInput } from '@portal/contracts';
import { likeContaining } from '@portal/database';
import type { BatchDb } from './db.ts';
import { Prisma } from './generated/client.ts';

const { join, sql } = Prisma;

type Query = RouteInput<typeof operationRoutes.listAllOperationLogs>['query'] & {
  /** Null: of all whom the transaction may see. */
  readonly partnerId: number | null;
};

/** An entry of the log, with what is known of the person. */
export interface OperationRow {
  readonly at: Date;
  readonly eventId: string;
  readonly accountKind: 'account' | 'admin' | null;
  readonly accountId: number | null;
  readonly login: string | null;
  readonly role: number | null;
  readonly address: string;
  readonly agent: string;
  readonly operation: string;
  readonly result: string;
  readonly targetKind: string | null;
  readonly targetIds: readonly number[] | null;
  readonly targetName: string | null;
  readonly personName: string | null;
  readonly personLogin: string | null;
  readonly targetPersonName: string | null;
}

/** Up to so many people the entries are found by person; where more are meant, going back in time finds some of theirs soon. */
const mostPeople = 1_000;

/** A page of the log, newest first. Nothing is counted: the log of a tenant may be long. */
export async function listOperations(
  db: BatchDb,
  query: Query,
): Promise<{ operations: OperationRow[]; next: string | null }> {
  const { perPage } = query;
  const conditions = [
    ...conditionsOf(query),
    ...(query.q ? [await whoCondition(db, query.q, query.partnerId)] : []),
  ];
  const where = conditions.length > 0 ? sql`WHERE ${join(conditions, ' AND ')}` : sql``;
  const rows = await db.$queryRaw<OperationRow[]>`
    SELECT log.at, log.event_id AS "eventId", log.account_kind AS "accountKind", log.account_id AS "accountId", log.login,
      log.role, log.address, log.agent, log.operation, log.result, log.target_kind AS "targetKind",
      log.target_ids AS "targetIds", log.target_name AS "targetName",
      person.display_name AS "personName", person.name AS "personLogin",
      coalesce(aim.display_name, aim.name) AS "targetPersonName"
    FROM (SELECT * FROM logs.operation_logs log ${where}
      ORDER BY log.at DESC, log.event_id DESC LIMIT ${perPage + 1}) log
    LEFT JOIN people person ON person.kind = log.account_kind AND person.account_id = log.account_id
    LEFT JOIN people aim ON cardinality(log.target_ids) = 1 AND aim.account_id = log.target_ids[1]
      AND aim.kind = CASE log.target_kind WHEN 'user' THEN 'account' WHEN 'admin' THEN 'admin' END
    ORDER BY log.at DESC, log.event_id DESC`;
  const operations = rows.slice(0, perPage);
  const last = operations.at(-1);
  const next = rows.length > perPage && last ? `${last.at.getTime()}_${last.eventId}` : null;
  return { operations, next };
}

function conditionsOf({
  after,
  end,
  operation,
  partnerId,
  result,
  start,
  targetId,
  targetKind,
}: Query): Prisma.Sql[] {
  return [
    ...(partnerId === null ? [] : [sql`log.partner_id = ${partnerId}`]),
    ...(start === undefined ? [] : [sql`log.at >= ${start}`]),
    ...(end === undefined ? [] : [sql`log.at < ${end}`]),
    ...(after === undefined
      ? []
      : [sql`log.at <= ${after.at} AND (log.at, log.event_id) < (${after.at}, ${after.eventId}::uuid)`]),
    ...(operation === undefined ? [] : [sql`log.operation = ANY(${operation})`]),
    ...(result === undefined
      ? []
      : [result === 'ok' ? sql`log.result NOT LIKE 'E%'` : sql`log.result LIKE 'E%'`]),
    ...(targetKind === undefined ? [] : [sql`log.target_kind = ${targetKind}`]),
    ...(targetId === undefined ? [] : [sql`log.target_ids @> ARRAY[${targetId}::integer]`]),
  ];
}

/** Who it was: somebody whose name or login has the text in it, or somebody unknown who typed it. */
async function whoCondition(db: BatchDb, q: string, partnerId: number | null): Promise<Prisma.Sql> {
  const pattern = likeContaining(foldCase(q));
  const ofPartner = partnerId === null ? sql`` : sql`partner_id = ${partnerId} AND`;
  const people = await db.$queryRaw<{ kind: string; accountId: number }[]>`
    SELECT kind, account_id AS "accountId" FROM people
    WHERE ${ofPartner} search_key LIKE ${pattern} LIMIT ${mostPeople + 1}`;
  const unknown = sql`log.login_key LIKE ${pattern}`;
  if (people.length > mostPeople) {
    return sql`(${unknown} OR EXISTS (SELECT 1 FROM people who
      WHERE who.kind = log.account_kind AND who.account_id = log.account_id AND who.search_key LIKE ${pattern}))`;
  }
  const idsOf = (wanted: string) =>
    people.filter(({ kind }) => kind === wanted).map(({ accountId }) => accountId);
  return sql`(${unknown}
    OR (log.account_id = ANY(${idsOf('account')}) AND log.account_kind = 'account')
    OR (log.account_id = ANY(${idsOf('admin')}) AND log.account_kind = 'admin'))`;
}
