import type { operationEvents } from '@portal/contracts';
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
      UPDATE logs.operation_logs SET result = ${sequel.result}, target = ${sequel.target}
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
  await db.$executeRaw`
    INSERT INTO logs.operation_logs
      (at, event_id, partner_id, unit_id, account_kind, account_id, role, address, agent, operation, target, result)
    SELECT at, "eventId", "partnerId", "unitId", "accountKind", "accountId", role, address, agent, operation, target,
      result
    FROM jsonb_to_recordset(${JSON.stringify(operations)}::jsonb) AS logged (
      at timestamptz, "eventId" uuid, "partnerId" integer, "unitId" integer, "accountKind" text, "accountId" integer,
      role integer, address text, agent text, operation text, target text, result text)
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
