import type { FieldError } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { everything, ofPartner } from '@portal/service-kit';
import {
  endTurn,
  type HeldImport,
  ImportLost,
  releaseImport,
  settleImport,
  takeImport,
} from '../data/import-repository.ts';
import { clearStage, countPasswords, countRows } from '../data/import-rows.ts';
import { applyImport } from './apply-import.ts';
import { checkImport } from './check-import.ts';
import { hashPasswords } from './hash-import-passwords.ts';
import { beginTurn, type ImportTools, keepHold, leaseMs } from './import-tools.ts';
import { removeImportFiles } from './remove-import-files.ts';
import { stageImport } from './stage-import.ts';

/** After so many workers in a row that failed or died an import is given up. */
const mostFailures = 10;
const retryMs = 2_000;
/** More than any import needs. */
const applyLimit = { longestMs: 30 * 60_000 };

/**
 * Works on imports with files of at most `largest` bytes until none is left or the service stops: on one at a time, of all
 * tenants in turns.
 */
export async function runUserImports(
  tools: ImportTools,
  { largest, stopping }: { largest: number; stopping: AbortSignal },
): Promise<void> {
  const { clock, store } = tools;
  while (!stopping.aborted) {
    const now = clock.now();
    const leasedUntil = new Date(now.getTime() + leaseMs);
    const held = await store.write(everything, ({ db }) => takeImport(db, { largest, leasedUntil, now }));
    if (!held) return;
    try {
      if (!(await runImport(tools, held, stopping))) {
        await store.write(ofPartner(held.partnerId), ({ db }) => endTurn(db, held, clock.now()));
      }
    } catch (error) {
      await breakOff(tools, held, error, stopping);
    }
    await removeImportFiles(tools);
  }
}

/**
 * One turn of an import. Whatever comes before the apply can be done again, and the apply is one transaction: breaking off
 * anywhere leaves nothing half. Answers whether there is nothing left to do, for now; else its turn was over.
 */
async function runImport(tools: ImportTools, taken: HeldImport, stopping: AbortSignal): Promise<boolean> {
  const { store } = tools;
  const scope = ofPartner(taken.partnerId);
  const turn = beginTurn();
  const stagedBefore = await rowsStagedBefore(tools, taken);
  const rowCount = stagedBefore ?? (await stageImport(tools, taken, stopping));
  if (rowCount === null) return true;
  if (turn.isOver()) return false;
  const held = { ...taken, rowCount };

  // Told by themselves: what the transactions of these write is seen only when they are over.
  const tell = async (phase: 'checking' | 'applying') =>
    store.write(scope, async ({ db }) => keepHold(tools, db, held, { phase, progress: 0 }));

  const hasPasswords = (await store.read(scope, (db) => countPasswords(db, held))).open > 0;
  // Whoever hashes passwords turn by turn has been checked before the first of them.
  const isChecked = stagedBefore !== null && taken.phase === 'hashing';
  // Before the word is waited for, and before the passwords, which take longest; once more when it is applied.
  if (held.preview || hasPasswords) {
    if (!isChecked) {
      await tell('checking');
      const settles = held.preview && !hasPasswords;
      if ((await checkFirst(tools, held, { settles })) === 'over' || settles) return true;
    }
    if (held.preview) {
      // Which users a password changes is known only when it is compared with theirs.
      if (!(await hashPasswords(tools, held, { stopping, turn }, 'ofUsers'))) return false;
      await tell('checking');
      await checkFirst(tools, held, { settles: true });
      return true;
    }
  }
  if (!(await hashPasswords(tools, held, { stopping, turn }, 'all'))) return false;
  await tell('applying');
  await store.write(scope, async (tx) => applyImport(tools, tx, held), applyLimit);
  return true;
}

/** Whether it is over with this, because lines are wrong. One that `settles` and can be applied waits for the word. */
async function checkFirst(
  tools: ImportTools,
  held: HeldImport,
  { settles }: { settles: boolean },
): Promise<'over' | 'fine'> {
  return tools.store.write(
    ofPartner(held.partnerId),
    async ({ db }) => {
      const counts = await checkImport(tools, db, held, { applying: false });
      if (!counts) return 'over';
      if (settles) {
        await settleImport(db, held, { status: 'checked', ...counts }, tools.clock.now());
      }
      return 'fine';
    },
    applyLimit,
  );
}

/** How many rows an earlier worker has staged, if all of the file is there. */
async function rowsStagedBefore({ store }: ImportTools, held: HeldImport): Promise<number | null> {
  const there = await store.read(ofPartner(held.partnerId), (db) => countRows(db, held));
  return there === held.rowCount ? there : null;
}

/** The import fails, or is left to the next try. */
async function breakOff(
  { clock, logger, store }: ImportTools,
  held: HeldImport,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  if (error instanceof ImportLost) return;
  const log = logger.child({ partnerId: held.partnerId, importId: held.id, attempt: held.attempt });
  const wrong = faultOf(error);
  if (!wrong && !stopping.aborted) log.error({ err: error }, 'Import broken off');
  const reason = wrong ?? (held.failures < mostFailures ? null : ({ message: 'importFailed' } as const));
  try {
    await store.write(ofPartner(held.partnerId), async ({ db }) => {
      const now = clock.now();
      if (!reason) {
        const waitMs = stopping.aborted ? 0 : retryMs * held.failures;
        await releaseImport(db, held, new Date(now.getTime() + waitMs));
        return;
      }
      await clearStage(db, held);
      const failureLine = Number(reason.params?.['line'] ?? 0) || null;
      await settleImport(db, held, { status: 'failed', failure: reason.message, failureLine }, now);
    });
  } catch (lost) {
    log.warn({ err: lost }, 'Import left as it is until its lease ends');
  }
}

/** What is wrong with the file; undefined for anything else that went wrong. */
function faultOf(error: unknown): Omit<FieldError, 'field'> | undefined {
  return error instanceof AppError && error.code === 'E40002'
    ? error.fields.find(({ field }) => field === 'csv')
    : undefined;
}
