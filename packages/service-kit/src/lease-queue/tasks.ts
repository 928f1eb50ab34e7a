import { randomUUID } from 'node:crypto';
import type { SqlExecutor } from '@portal/messaging';
import type { LeaseQueue } from './lease-queue.ts';

/** A task that a worker has claimed. */
export interface ClaimedTask<Payload> {
  readonly queue: string;
  readonly id: string;
  readonly partnerId: number | null;
  readonly payload: Payload;
  /** Attempts in a row, including this one. */
  readonly attempts: number;
  readonly addedAt: Date;
  /** Identifies this claim of the task. */
  readonly lease: string;
}

/** What changes rows, of whichever store. */
export type SqlWriter = Pick<SqlExecutor, '$executeRawUnsafe'>;

type Claim = Pick<ClaimedTask<unknown>, 'id' | 'lease' | 'queue'>;

/** When a task is claimed, and until when. */
interface Period {
  readonly now: Date;
  readonly until: Date;
}

/**
 * Claims due tasks. In a queue with one task of each tenant at a time, the tenant's other tasks then go behind those of others that wait.
 * Tasks without a tenant count as one tenant's.
 */
export async function claimTasks<Payload>(
  db: SqlExecutor,
  { name, oneOfEachTenant }: LeaseQueue<Payload>,
  { most, ...period }: Period & { most: number },
): Promise<ClaimedTask<Payload>[]> {
  if (!oneOfEachTenant) return claim<Payload>(db, name, period, next, most);
  // One worker at a time: two would not see that the other is about to claim a task of the same tenant.
  await db.$queryRawUnsafe('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text', name);
  const claimed: ClaimedTask<Payload>[] = [];
  while (claimed.length < most) {
    const [task] = await claim<Payload>(db, name, period, nextOfFreeTenants, 1);
    if (!task) break;
    claimed.push(task);
  }
  return claimed;
}

/** Claims one particular task, if it is due. */
export async function claimTask<Payload>(
  db: SqlExecutor,
  { name }: LeaseQueue<Payload>,
  { id, ...period }: Period & { id: string },
): Promise<ClaimedTask<Payload>[]> {
  return claim<Payload>(db, name, period, oneTask, id);
}

/** Claims a task of a tenant that is none of these. */
export async function claimOfOthers<Payload>(
  db: SqlExecutor,
  { name }: LeaseQueue<Payload>,
  { without, ...period }: Period & { without: ReadonlySet<number | null> },
): Promise<ClaimedTask<Payload>[]> {
  const tenants = JSON.stringify([...without].map((partnerId) => partnerId ?? noTenant));
  return claim<Payload>(db, name, period, nextOfOthers, tenants);
}

/** The tenant of tasks without one; of tenants, ids begin with 1. */
const noTenant = 0;

const nextOfOthers = `
  next AS (
    SELECT id FROM messaging.task WHERE queue = $1 AND due_at <= $2::timestamptz
      AND NOT $5::jsonb @> to_jsonb(coalesce(partner_id, ${noTenant}))
    ORDER BY priority, due_at, seq LIMIT 1 FOR UPDATE SKIP LOCKED)`;
const next = `
  next AS (
    SELECT id FROM messaging.task WHERE queue = $1 AND due_at <= $2::timestamptz
    ORDER BY priority, due_at, seq LIMIT $5 FOR UPDATE SKIP LOCKED)`;
const nextOfFreeTenants = `
  next AS (
    SELECT id, partner_id FROM messaging.task
    WHERE queue = $1 AND due_at <= $2::timestamptz AND NOT EXISTS (
      SELECT FROM messaging.task AS held
      WHERE held.queue = $1 AND held.partner_id IS NOT DISTINCT FROM task.partner_id
        AND held.lease IS NOT NULL AND held.due_at > $2::timestamptz)
    ORDER BY priority, due_at, seq LIMIT $5 FOR UPDATE SKIP LOCKED),
  another AS MATERIALIZED (
    SELECT FROM messaging.task, next
    WHERE task.queue = $1 AND task.due_at <= $2::timestamptz AND task.partner_id IS DISTINCT FROM next.partner_id LIMIT 1),
  others AS (
    SELECT id, nextval('messaging.task_seq_seq') AS seq
    FROM (
      SELECT task.id FROM messaging.task, next
      WHERE task.queue = $1 AND task.id <> next.id AND task.partner_id IS NOT DISTINCT FROM next.partner_id
        AND task.due_at <= $2::timestamptz AND (SELECT count(*) FROM another) > 0
      ORDER BY due_at, seq FOR UPDATE OF task SKIP LOCKED) AS in_order),
  behind AS (
    UPDATE messaging.task SET due_at = $2::timestamptz, seq = others.seq FROM others
    WHERE task.queue = $1 AND task.id = others.id)`;
const oneTask = `
  next AS (
    SELECT id FROM messaging.task WHERE queue = $1 AND due_at <= $2::timestamptz AND id = $5
    FOR UPDATE SKIP LOCKED)`;

async function claim<Payload>(
  db: SqlExecutor,
  queue: string,
  { now, until }: Period,
  which: string,
  chosen: number | string,
): Promise<ClaimedTask<Payload>[]> {
  return db.$queryRawUnsafe(
    `WITH ${which},
     claimed AS (
       UPDATE messaging.task SET lease = $4::uuid, due_at = $3::timestamptz, attempts = attempts + 1 FROM next
       WHERE task.queue = $1 AND task.id = next.id
       RETURNING task.*)
     SELECT queue, id, partner_id AS "partnerId", payload, attempts, added_at AS "addedAt", lease::text FROM claimed
     ORDER BY priority, seq`,
    queue,
    now.toISOString(),
    until.toISOString(),
    randomUUID(),
    chosen,
  );
}

const isClaimed = 'queue = $1 AND id = $2 AND lease = $3::uuid';
const idOf = ({ id, lease, queue }: Claim) => [queue, id, lease];

/** When the next task can be claimed that cannot yet, if it is before `until`; also one whose worker may have died. */
export async function nextDue(
  db: SqlExecutor,
  { name }: LeaseQueue<unknown>,
  { now, until }: Period,
): Promise<Date | null> {
  const [next] = await db.$queryRawUnsafe<{ dueAt: Date | null }[]>(
    `SELECT min(due_at) AS "dueAt" FROM messaging.task
     WHERE queue = $1 AND due_at > $2::timestamptz AND due_at < $3::timestamptz`,
    name,
    now.toISOString(),
    until.toISOString(),
  );
  return next?.dueAt ?? null;
}

/** Renews the lease and locks the task until the end of the transaction. False if another worker has it. */
export async function holdTask(db: SqlWriter, claim: Claim, until: Date): Promise<boolean> {
  const statement = `UPDATE messaging.task SET due_at = $4::timestamptz WHERE ${isClaimed}`;
  return (await db.$executeRawUnsafe(statement, ...idOf(claim), until.toISOString())) === 1;
}

/** Like `holdTask`, but does not wait for a transaction that has locked the task, which nobody else can claim meanwhile. */
export async function renewLease(db: SqlExecutor, claim: Claim, until: Date): Promise<boolean> {
  const [row] = await db.$queryRawUnsafe<{ isHeld: boolean }[]>(
    `WITH held AS (SELECT queue, id FROM messaging.task WHERE ${isClaimed} FOR UPDATE SKIP LOCKED),
     renewed AS (
       UPDATE messaging.task SET due_at = $4::timestamptz FROM held
       WHERE task.queue = held.queue AND task.id = held.id)
     SELECT EXISTS (SELECT FROM messaging.task WHERE ${isClaimed}) AS "isHeld"`,
    ...idOf(claim),
    until.toISOString(),
  );
  return row?.isHeld ?? false;
}

/** Removes the task from the queue. False if another worker has it: of several, at most one gets true. */
export async function finishTask(db: SqlWriter, claim: Claim): Promise<boolean> {
  return (await db.$executeRawUnsafe(`DELETE FROM messaging.task WHERE ${isClaimed}`, ...idOf(claim))) === 1;
}

/** Releases the task, if this worker still has it. It can be claimed from `dueAt`, behind what is due then. */
export async function releaseTask(
  db: SqlExecutor,
  claim: Claim,
  { attempts, dueAt }: { attempts: number; dueAt: Date },
): Promise<void> {
  await db.$executeRawUnsafe(
    `UPDATE messaging.task
     SET lease = NULL, due_at = $4::timestamptz, attempts = $5::integer, seq = nextval('messaging.task_seq_seq')
     WHERE ${isClaimed}`,
    ...idOf(claim),
    dueAt.toISOString(),
    attempts,
  );
}
