import { documentEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import {
  claimUnmeasured,
  findDatabase,
  type NamedDatabase,
  noteChanges,
  saveDatabase,
} from '../data/database-repository.ts';
import { tellDatabase } from './tell-database.ts';

type Needed = Pick<
  Dependencies,
  'cipher' | 'clock' | 'contractedQuota' | 'documents' | 'known' | 'logger' | 'seals' | 'store'
>;

/** A database that is written to all the time is measured so often. */
const changedMs = 20_000;
/** For what nobody could note: an instance may have died between a change and its note. */
const unchangedMs = 3_600_000;
/** How many are measured at the same time. */
const atOnce = 8;

/** The tenants whose documents this instance has changed since it last noted it. */
export interface Changes {
  add(partnerId: number): void;
  /** All of them, once. */
  take(): readonly number[];
}

export function createChanges(): Changes {
  const changed = new Set<number>();
  return {
    add: (partnerId) => changed.add(partnerId),
    take() {
      const all = [...changed];
      changed.clear();
      return all;
    },
  };
}

/** Measures the databases that were changed, by whatever instance, and all others every hour. */
export async function measureDatabases(
  deps: Needed,
  changes: Changes,
  { scope, stopping }: { readonly scope: Scope; readonly stopping: AbortSignal },
): Promise<void> {
  const { clock, logger, store } = deps;
  const changed = changes.take();
  try {
    if (changed.length > 0) {
      await store.write(scope, async ({ db }) => noteChanges(db, changed, clock.now()));
    }
  } catch (error) {
    for (const partnerId of changed) changes.add(partnerId);
    throw error;
  }
  while (!stopping.aborted) {
    const now = clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    const claimed = await store.write(scope, async ({ db }) =>
      claimUnmeasured(db, { now, changed: ago(changedMs), unchanged: ago(unchangedMs), most: atOnce }),
    );
    if (claimed.length === 0) return;
    await Promise.all(
      claimed.map(async (database) => {
        try {
          await measure(deps, database);
        } catch (error) {
          logger.warn({ err: error, partnerId: database.partnerId }, 'A database could not be measured');
          changes.add(database.partnerId);
        }
      }),
    );
  }
}

async function measure(deps: Needed, { name, partnerId }: NamedDatabase): Promise<void> {
  const { documents, known, store } = deps;
  const usage = await documents.usage({ partnerId, db: name });
  const [usageBytes, documentCount] = [BigInt(usage.bytes), BigInt(usage.documents)];
  await store.write(ofPartner(partnerId), async (tx) => {
    const before = await findDatabase(tx.db, partnerId);
    if (before?.name !== name) return;
    if (before.usageBytes === usageBytes && before.documentCount === documentCount) return;
    const database = await saveDatabase(tx.db, partnerId, { usageBytes, documentCount });
    await tellDatabase(deps, tx, database, documentEvents.databaseUpdated);
  });
  known.forget(partnerId);
}
