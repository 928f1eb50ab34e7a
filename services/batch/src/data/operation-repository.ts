import { foldCase, type operationEvents } from '@portal/contracts';
import type { z } from 'zod';
import type { BatchDb } from './db.ts';

export interface LoggedOperation extends z.output<(typeof operationEvents)['operationLogged']['data']> {
  readonly eventId: string;
  readonly partnerId: number | null;
}

/** Writes entries of the log, and how those that are there ended; a repeat does nothing. */
export async function storeOperations(db: BatchDb, operations: readonly LoggedOperation[]): Promise<void> {
  const entries = operations.filter(({ supersedes }) => supersedes === undefined);
  const sequels = operations.filter(({ supersedes }) => supersedes !== undefined);
  await insertOperations(db, entries);
  const alone: LoggedOperation[] = [];
  for (const sequel of sequels) {
    const corrected = await db.$executeRaw`
      UPDATE logs.operation_logs SET result = ${sequel.result}, target = ${sequel.target},
        target_ids = ${[...(sequel.targetIds ?? [])]}::integer[], target_name = ${sequel.targetName ?? null}
      WHERE at = ${sequel.at}::timestamptz AND event_id = ${sequel.supersedes}::uuid`;
    if (corrected === 0) alone.push(sequel);
  }
  await insertOperations(db, alone);
}

async function insertOperations(db: BatchDb, operations: readonly LoggedOperation[]): Promise<void> {
  if (operations.length === 0) return;
  for (const month of new Set(operations.map(({ at }) => at.slice(0, 7)))) {
    await makeMonth(db, new Date(`${month}-01`));
  }
  const rows = operations.map((operation) => ({
    ...operation,
    ...(operation.login !== undefined && { loginKey: foldCase(operation.login) }),
  }));
  await db.$executeRaw`
    INSERT INTO logs.operation_logs
      (at, event_id, partner_id, unit_id, account_kind, account_id, role, address, agent, operation, target, result,
        target_kind, target_ids, target_name, login, login_key)
    SELECT at, "eventId", "partnerId", "unitId", "accountKind", "accountId", role, address, agent, operation, target,
      result, "targetKind", "targetIds", "targetName", login, "loginKey"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS logged (
      at timestamptz, "eventId" uuid, "partnerId" integer, "unitId" integer, "accountKind" text, "accountId" integer,
      role integer, address text, agent text, operation text, target text, result text,
      "targetKind" text, "targetIds" integer[], "targetName" text, login text, "loginKey" text)
    ON CONFLICT DO NOTHING`;
}

/** Makes sure that entries of this time have a partition. */
export async function makeMonth(db: BatchDb, time: Date): Promise<void> {
  await db.$executeRaw`SELECT logs.make_month(${time.toISOString().slice(0, 10)}::date)`;
}

/** Drops the partitions that were over `before`. */
export async function dropMonths(db: BatchDb, before: Date): Promise<void> {
  await db.$executeRaw`SELECT logs.drop_months(${before})`;
}
