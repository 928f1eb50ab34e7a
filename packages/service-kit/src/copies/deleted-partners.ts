import { tenantEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { Job } from '../jobs.ts';
import { ofPartner } from '../scopes.ts';
import type { Store, Transaction } from '../store.ts';
import { type EventHandler, on, partnerOf } from '../subscriptions.ts';

/** What a service does with its rows of a partner that is deleted: a table with a `partner_id` is in one of the two. */
export interface PartnerRows<Db> {
  /** Whose rows are deleted, in this order: first those that refer to others. */
  readonly deleted: readonly (string | PartnerTable<Db>)[];
  /** Whose rows stay, and why. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** A table whose rows are not simply deleted. */
export interface PartnerTable<Db> {
  readonly table: string;
  /** Does what is to be done with some rows, and answers with how many; 0 when nothing is left to be done. */
  clearSome(tx: Transaction<Db>, some: SomeRows): Promise<number>;
}

interface SomeRows {
  readonly partnerId: number;
  /** How many at most. */
  readonly most: number;
  readonly now: Date;
}

/** The kit's own tables. A copy remembers that the partner is gone, or a late answer would bring it back. */
const ofKit: PartnerRows<SqlExecutor> = {
  deleted: ['messaging.csv_task', 'messaging.task', { table: 'messaging.copy', clearSome: deleteCopies }],
  kept: { 'messaging.deleted_partner': 'says that the partner is deleted' },
};

/** The names of the tables that a service says what to do with. */
export function coveredTables<Db>(rows: PartnerRows<Db>): ReadonlySet<string> {
  const names = [rows, ofKit].flatMap(({ deleted, kept = {} }) => [
    ...deleted.map((table) => (typeof table === 'string' ? table : table.table)),
    ...Object.keys(kept),
  ]);
  return new Set(names.map((name) => (name.includes('.') ? name : `public.${name}`)));
}

const jobName = 'delete-partner-rows';
const minute = 60_000;
const hour = 60 * minute;
/** Events of before the deletion may come for so long, and leave rows again: these are looked for every hour. */
const lookedForMs = 8 * 24 * hour;
/** When a partner whose rows could not be deleted has its next turn. */
const retryMs = 10 * minute;
/** Rows of one transaction: others wait for no longer than these take. */
const mostAtOnce = 1_000;

/** Notes that a partner was deleted, and wakes the job that deletes its rows. */
export function partnerDeletion<Db extends SqlExecutor>(): EventHandler<Db> {
  return on<Db, unknown>(
    tenantEvents.partnerDeleted,
    jobName,
    async ({ db }, event) => {
      await db.$executeRawUnsafe(
        `INSERT INTO messaging.deleted_partner (partner_id, deleted_at, due_at)
         VALUES ($1, $2::timestamptz, $2::timestamptz) ON CONFLICT DO NOTHING`,
        partnerOf(event),
        event.time,
      );
    },
    { wakes: jobName },
  );
}

/**
 * Deletes the rows of deleted partners, some in each transaction. Whoever breaks off leaves the rest to the next run, in
 * whatever instance.
 */
export function partnerDeletionJob<Db extends SqlExecutor>(
  { clock, store }: { readonly clock: Clock; readonly store: Store<Db> },
  rows: PartnerRows<Db>,
): Job {
  const tables: readonly PartnerTable<Db>[] = [...rows.deleted, ...ofKit.deleted].map((table) =>
    typeof table === 'string' ? plain(table) : table,
  );

  async function empty(partnerId: number, stopping: AbortSignal): Promise<boolean> {
    for (const { clearSome } of tables) {
      let cleared: number;
      do {
        if (stopping.aborted) return false;
        const some = { partnerId, most: mostAtOnce, now: clock.now() };
        cleared = await store.write(ofPartner(partnerId), async (tx) => clearSome(tx, some));
      } while (cleared > 0);
    }
    return true;
  }

  return {
    name: jobName,
    everyMs: retryMs,
    async run({ scope, stopping }) {
      const failures: unknown[] = [];
      for (;;) {
        const now = clock.now();
        const [due] = await store.read(scope, async (db) =>
          db.$queryRawUnsafe<{ partnerId: number; deletedAt: Date }[]>(
            `SELECT partner_id AS "partnerId", deleted_at AS "deletedAt" FROM messaging.deleted_partner
             WHERE due_at <= $1::timestamptz ORDER BY due_at LIMIT 1`,
            now.toISOString(),
          ),
        );
        if (!due) break;
        const isOver = now.getTime() > due.deletedAt.getTime() + lookedForMs;
        let dueAt = isOver ? null : new Date(now.getTime() + hour).toISOString();
        try {
          if (!(await empty(due.partnerId, stopping))) break;
        } catch (error) {
          // The partners that are due after this one do not wait for it.
          failures.push(error);
          dueAt = new Date(now.getTime() + retryMs).toISOString();
        }
        await store.write(ofPartner(due.partnerId), async ({ db }) =>
          db.$executeRawUnsafe(
            'UPDATE messaging.deleted_partner SET due_at = $2::timestamptz WHERE partner_id = $1',
            due.partnerId,
            dueAt,
          ),
        );
      }
      if (failures.length > 0) throw new AggregateError(failures, 'Rows of deleted partners are left');
    },
  };
}

/** What another instance is deleting at this moment is passed over. */
function plain<Db extends SqlExecutor>(table: string): PartnerTable<Db> {
  return {
    table,
    clearSome: async ({ db }, { most, partnerId }) =>
      db.$executeRawUnsafe(
        `DELETE FROM ${table} WHERE partner_id = $1 AND ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE partner_id = $1 LIMIT ${most} FOR UPDATE SKIP LOCKED))`,
        partnerId,
      ),
  };
}

async function deleteCopies(
  { db }: Transaction<SqlExecutor>,
  { most, partnerId }: SomeRows,
): Promise<number> {
  return db.$executeRawUnsafe(
    `DELETE FROM messaging.copy WHERE (name, id) IN (
       SELECT name, id FROM messaging.copy
       WHERE partner_id = $1 AND NOT (name = 'keep-partners' AND id = $1) LIMIT ${most})`,
    partnerId,
  );
}
