import type { operationEvents } from '@portal/contracts';
import type { z } from 'zod';
import type { BatchDb } from './db.ts';

export interface LoggedOperation extends z.output<(typeof operationEvents)['operationLogged']['data']> {
  readonly eventId: string;
  readonly partnerId: number | null;
}

/** Writes an entry of the log, or the result of one that is there; a repeat does nothing. */
export async function keepOperation(db: BatchDb, operation: LoggedOperation): Promise<void> {
  const { accountId, accountKind, address, agent, at, eventId, partnerId, result, role, target } = operation;
  if (operation.supersedes !== undefined) {
    const corrected = await db.$executeRaw`
      UPDATE logs.operation_logs SET result = ${result}
      WHERE at = ${at}::timestamptz AND event_id = ${operation.supersedes}::uuid`;
    if (corrected > 0) return;
  }
  await makeMonth(db, new Date(at));
  await db.$executeRaw`
    INSERT INTO logs.operation_logs
      (at, event_id, partner_id, account_kind, account_id, role, address, agent, operation, target, result)
    VALUES (${at}::timestamptz, ${eventId}::uuid, ${partnerId}::integer, ${accountKind}, ${accountId}::integer,
      ${role}::integer, ${address}, ${agent}, ${operation.operation}, ${target}, ${result})
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
