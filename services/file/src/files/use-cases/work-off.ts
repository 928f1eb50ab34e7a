import { type JobRun, ofPartner, type Transaction } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../data/changes.ts';
import type { DueShares } from '../data/due-shares.ts';

const batch = 200;
/** Of each tenant, before the next has its turn. */
const share = 50;

interface Due {
  readonly id: number;
  readonly partnerId: number;
}

/**
 * Does what is due of all tenants, each in transactions of its own. Tenants have their turns, some of each, until nothing is due: one
 * that has much holds up no other. One with a running change is left for the next run. Answers whether anything was due.
 */
export async function workOff(
  { store }: Pick<Dependencies, 'store'>,
  { scope, stopping }: JobRun,
  {
    begin,
    find,
    work,
  }: {
    /** Some of what is due; of several kinds, up to the limit of each. */
    readonly find: (db: FileDb, shares: DueShares) => Promise<readonly Due[]>;
    /** Undefined while another transaction is writing for the tenant. */
    readonly begin: (tx: Transaction<FileDb>, partnerId: number) => Promise<Change | undefined>;
    /** Answers whether there is more of it, which then has another turn. */
    readonly work: (change: Change, id: number) => Promise<boolean | void>;
  },
): Promise<boolean> {
  /** Tenants with a running change, and those that have had their turn while others have not. */
  const busy = new Set<number>();
  const served = new Set<number>();
  /** What was done, once each: what stays due after it is left for the next run. */
  const done = new Set<string>();
  let isAnyDone = false;

  async function workOn({ id, partnerId }: Due): Promise<void> {
    const key = `${partnerId} ${id}`;
    if (busy.has(partnerId) || done.has(key)) return;
    const outcome = await store.write(ofPartner(partnerId), async (tx) => {
      const change = await begin(tx, partnerId);
      if (!change) return 'busy';
      return (await work(change, id)) ? 'more' : 'done';
    });
    if (outcome === 'busy') {
      busy.add(partnerId);
      return;
    }
    if (outcome === 'done') done.add(key);
    isAnyDone = true;
  }

  while (!stopping.aborted) {
    const due = await store.read(scope, async (db) =>
      find(db, { except: [...busy, ...served], limit: batch, share }),
    );
    for (const one of due) {
      if (stopping.aborted) break;
      await workOn(one);
    }
    if (due.length >= batch) {
      for (const { partnerId } of due) served.add(partnerId);
    } else {
      // All have had their turn.
      if (!isAnyDone) break;
      served.clear();
      isAnyDone = false;
    }
  }
  return busy.size + done.size > 0;
}
