import type { SqlExecutor } from '@portal/messaging';

export interface NewTask<Payload> {
  /** Unique in its queue. */
  readonly id: string | number;
  /** Null for a task without a tenant. */
  readonly partnerId: number | null;
  /** What the worker needs to know, as JSON. */
  readonly payload: Payload;
  /** Tasks with the lowest number come first; the default is 0. */
  readonly priority?: number;
  /** No worker claims it before; now where it is absent. */
  readonly dueAt?: Date;
}

/** Background work of one kind that a service has still to do. `createWorker` does it. */
export interface LeaseQueue<Payload> {
  /** Also the name of the worker's job, for `wakes` of a subscription. */
  readonly name: string;
  /** All instances together work on one task of a tenant at a time; its other tasks wait behind those of other tenants. */
  readonly oneOfEachTenant: boolean;
  /** Adds tasks in the transaction of the change that causes them. A task that exists stays as it is. */
  add(db: SqlExecutor, tasks: readonly NewTask<Payload>[], now: Date): Promise<void>;
  /** Removes tasks. A worker that has claimed one stops, and can record no outcome. */
  remove(db: SqlExecutor, ids: readonly (string | number)[]): Promise<void>;
  /** The tasks that no worker has claimed: those that wait for their turn, or for their next attempt. */
  waiting(db: SqlExecutor, now: Date): Promise<{ readonly id: string; readonly payload: Payload }[]>;
}

export function leaseQueue<Payload>(
  name: string,
  { oneOfEachTenant = false }: { oneOfEachTenant?: boolean } = {},
): LeaseQueue<Payload> {
  return {
    name,
    oneOfEachTenant,

    async add(db, tasks, now) {
      await db.$executeRawUnsafe(
        `INSERT INTO messaging.task (queue, id, partner_id, priority, payload, added_at, due_at)
         SELECT $1, id, "partnerId", coalesce(priority, 0), coalesce(payload, 'null'), $3::timestamptz,
           coalesce("dueAt", $3::timestamptz)
         FROM jsonb_to_recordset($2::jsonb) AS added (
           id text, "partnerId" integer, priority smallint, payload jsonb, "dueAt" timestamptz)
         ON CONFLICT DO NOTHING`,
        name,
        JSON.stringify(tasks),
        now.toISOString(),
      );
    },

    async remove(db, ids) {
      await db.$executeRawUnsafe(
        'DELETE FROM messaging.task WHERE queue = $1 AND id = ANY ($2::text[])',
        name,
        ids.map(String),
      );
    },

    async waiting(db, now) {
      return db.$queryRawUnsafe(
        `SELECT id, payload FROM messaging.task
         WHERE queue = $1 AND (lease IS NULL OR due_at <= $2::timestamptz) ORDER BY seq`,
        name,
        now.toISOString(),
      );
    },
  };
}
