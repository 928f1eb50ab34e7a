import type { FieldError } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { createWorker, type LeaseQueue, ofPartner, type Worker } from '@portal/service-kit';
import { keepChanges } from '../data/import-change-repository.ts';
import {
  type ClaimedImport,
  endImport,
  finaliseImport,
  findHeldImport,
  type ImportKey,
  lockClaimedImport,
} from '../data/import-repository.ts';
import { clearStage, countPasswords, countRows } from '../data/import-rows.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { applyImport } from './apply-import.ts';
import { checkImport } from './check-import.ts';
import { endHeldImport, tellEnd } from './end-import.ts';
import { hashPasswords } from './hash-import-passwords.ts';
import { beginTurn } from './import-turn.ts';
import { removeImportFiles } from './remove-import-files.ts';
import { stageImport } from './stage-import.ts';

const second = 1_000;
/** More than any import needs. */
const applyLimit = { longestMs: 30 * 60 * second };

/** Work on one import at a time of those in a queue, of all tenants in turns. */
export function importWorker(deps: ImportDependencies, queue: LeaseQueue<ImportKey>): Worker {
  const { clock, store } = deps;
  return createWorker(deps, queue, {
    atOnce: 1,
    leaseMs: 60 * second,
    retry: { firstMs: 2 * second, longestMs: 20 * second, tries: 10 },
    async work(task) {
      const held = await store.read(task.scope, (db) => findHeldImport(db, task));
      if (held) await workOn(deps, held);
      else await store.write(task.scope, ({ db }) => task.finish(db));
      await removeImportFiles(deps, task);
    },
    async giveUp({ db, outbox }, { payload }) {
      await clearStage(db, payload);
      const outcome = { status: 'failed', failure: 'importFailed' } as const;
      tellEnd(outbox, payload, await endImport(db, payload, outcome, clock.now()), outcome);
    },
  });
}

async function workOn(deps: ImportDependencies, held: ClaimedImport): Promise<void> {
  const { clock, store } = deps;
  try {
    await runImport(deps, held);
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    const failureLine = Number(fault.params?.['line'] ?? 0) || null;
    await store.write(held.task.scope, async (tx) => {
      await clearStage(tx.db, held);
      await endHeldImport(tx, held, { status: 'failed', failure: fault.message, failureLine }, clock.now());
    });
  }
}

/**
 * One turn of an import. Whatever comes before the apply can be done again, and the apply is one transaction: breaking off
 * anywhere leaves nothing half. It returns where the import is settled, or where its turn is over.
 */
async function runImport(deps: ImportDependencies, taken: ClaimedImport): Promise<void> {
  const { store } = deps;
  const { scope } = taken.task;
  const turn = beginTurn();
  const stagedBefore = await rowsStagedBefore(deps, taken);
  const rowCount = stagedBefore ?? (await stageImport(deps, taken));
  if (rowCount === null || turn.isOver()) return;
  const held = { ...taken, rowCount };

  // Told by themselves: what the transactions of these write is seen only when they are over.
  const tell = async (phase: 'checking' | 'hashing' | 'applying') =>
    store.write(scope, async ({ db }) => lockClaimedImport(db, held, { phase, progress: 0 }));

  const hasPasswords = (await store.read(scope, (db) => countPasswords(db, held))).open > 0;
  // An import that hashes passwords in several turns was checked before the first of them.
  const isChecked = stagedBefore !== null && taken.phase === 'hashing';
  // Before the word is waited for, and before the passwords, which take longest; once more when it is applied.
  if (held.preview || hasPasswords) {
    if (!isChecked) {
      await tell('checking');
      const settles = held.preview && !hasPasswords;
      if ((await checkFirst(deps, held, { settles })) === 'over' || settles) return;
      // Very many rows take longer to check than a turn lasts: the next one begins here, or it would check them for ever.
      await tell('hashing');
    }
    if (held.preview) {
      // Which users a password changes is known only when it is compared with theirs.
      if (!(await hashPasswords(deps, held, turn, 'ofUsers'))) return;
      await tell('checking');
      await checkFirst(deps, held, { settles: true });
      return;
    }
  }
  if (!(await hashPasswords(deps, held, turn, 'all'))) return;
  await tell('applying');
  await store.write(scope, async (tx) => applyImport(deps, tx, held), applyLimit);
}

/** Whether the import ends here because of wrong lines. One that `settles` and can be applied waits for confirmation. */
async function checkFirst(
  deps: ImportDependencies,
  held: ClaimedImport,
  { settles }: { settles: boolean },
): Promise<'over' | 'fine'> {
  return deps.store.write(
    ofPartner(held.partnerId),
    async (tx) => {
      const { db } = tx;
      const counts = await checkImport(deps, tx, held, { applying: false });
      if (!counts) return 'over';
      if (settles) {
        const changeCount = await keepChanges(db, held);
        await finaliseImport(db, held, { status: 'checked', ...counts, changeCount }, deps.clock.now());
      }
      return 'fine';
    },
    applyLimit,
  );
}

/** How many rows an earlier worker has staged, if all of the file is there. */
async function rowsStagedBefore({ store }: ImportDependencies, held: ClaimedImport): Promise<number | null> {
  const there = await store.read(ofPartner(held.partnerId), (db) => countRows(db, held));
  return there === held.rowCount ? there : null;
}

/** What is wrong with the file; undefined for anything else that went wrong. */
function faultOf(error: unknown): Omit<FieldError, 'field'> | undefined {
  return error instanceof AppError && error.code === 'E40002'
    ? error.fields.find(({ field }) => field === 'csv')
    : undefined;
}
