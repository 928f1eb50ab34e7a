import { batchEvents } from '@portal/contracts';
import type { SqlExecutor } from '@portal/messaging';
import type { WantedCsv } from './csv-export.ts';

/** An export that a service is asked for. */
export interface CsvTask {
  readonly request: WantedCsv;
  /** Tries so far, this one included. */
  readonly attempts: number;
}

export async function keepTask(
  db: SqlExecutor,
  { partnerId, ...request }: WantedCsv,
  now: Date,
): Promise<void> {
  await db.$executeRawUnsafe(
    `INSERT INTO messaging.csv_task (batch_id, partner_id, request, due_at)
     VALUES ($1::integer, $2::integer, $3::jsonb, $4::timestamptz) ON CONFLICT DO NOTHING`,
    request.batchId,
    partnerId,
    JSON.stringify(request),
    now.toISOString(),
  );
}

/**
 * Takes one that is due, for as long as `until`: no other instance gets it before. A tenant has one in hand at a time, and
 * then its others wait behind all that wait now. What administrators ask for counts as one tenant's.
 */
export async function takeTask(
  db: SqlExecutor,
  { now, until }: { now: Date; until: Date },
): Promise<CsvTask | undefined> {
  const [row] = await db.$queryRawUnsafe<{ partnerId: number | null; request: unknown; attempts: number }[]>(
    `WITH taken AS (
       SELECT batch_id, partner_id FROM messaging.csv_task task
       WHERE due_at <= $1::timestamptz AND NOT EXISTS (
         SELECT FROM messaging.csv_task held
         WHERE held.partner_id IS NOT DISTINCT FROM task.partner_id AND held.due_at > $1::timestamptz)
       ORDER BY due_at, batch_id LIMIT 1 FOR UPDATE SKIP LOCKED),
     behind AS (
       UPDATE messaging.csv_task SET due_at = $1::timestamptz
       WHERE batch_id IN (
         SELECT task.batch_id FROM messaging.csv_task task, taken
         WHERE task.partner_id IS NOT DISTINCT FROM taken.partner_id AND task.batch_id <> taken.batch_id
         FOR UPDATE OF task SKIP LOCKED))
     UPDATE messaging.csv_task task SET due_at = $2::timestamptz, attempts = attempts + 1 FROM taken
     WHERE task.batch_id = taken.batch_id
     RETURNING task.partner_id AS "partnerId", request, attempts`,
    now.toISOString(),
    until.toISOString(),
  );
  return (
    row && {
      request: { ...batchEvents.csvRequest.parse(row.request), partnerId: row.partnerId },
      attempts: row.attempts,
    }
  );
}

/** Whether the task was still there. */
export async function postponeTask(db: SqlExecutor, batchId: number, dueAt: Date): Promise<boolean> {
  const found = await db.$executeRawUnsafe(
    'UPDATE messaging.csv_task SET due_at = $2::timestamptz WHERE batch_id = $1::integer',
    batchId,
    dueAt.toISOString(),
  );
  return found === 1;
}

/** Whether the task was still there: whoever takes it away tells how it ended. */
export async function dropTask(db: SqlExecutor, batchId: number): Promise<boolean> {
  const found = await db.$executeRawUnsafe(
    'DELETE FROM messaging.csv_task WHERE batch_id = $1::integer',
    batchId,
  );
  return found === 1;
}
