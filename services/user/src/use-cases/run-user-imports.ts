import type { FieldError } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { everything, ofPartner } from '@portal/service-kit';
import {
  type HeldImport,
  ImportLost,
  releaseImport,
  settleImport,
  takeImport,
} from '../data/import-repository.ts';
import { clearStage, countOpenPasswords, countRows } from '../data/import-rows.ts';
import { applyImport } from './apply-import.ts';
import { checkImport } from './check-import.ts';
import { hashPasswords } from './hash-import-passwords.ts';
import { type ImportTools, keepHold, leaseMs } from './import-tools.ts';
import { stageImport } from './stage-import.ts';

/** After so many workers that failed or died an import is given up. */
const mostAttempts = 10;
const retryMs = 2_000;
/** More than any import needs. */
const applyLimit = { longestMs: 30 * 60_000 };

/** Works on imports, one after the other, until none is left or the service stops. */
export async function runUserImports(tools: ImportTools, stopping: AbortSignal): Promise<void> {
  const { clock, store } = tools;
  while (!stopping.aborted) {
    const now = clock.now();
    const leasedUntil = new Date(now.getTime() + leaseMs);
    const held = await store.write(everything, ({ db }) => takeImport(db, now, leasedUntil));
    if (!held) return;
    try {
      await runImport(tools, held, stopping);
    } catch (error) {
      await breakOff(tools, held, error, stopping);
    }
  }
}

/**
 * One import, from its file to its end. Whatever comes before the apply can be done again, and the apply is one
 * transaction: breaking off anywhere leaves nothing half.
 */
async function runImport(tools: ImportTools, taken: HeldImport, stopping: AbortSignal): Promise<void> {
  const { storage, store } = tools;
  const scope = ofPartner(taken.partnerId);
  const rowCount = (await stagedBefore(tools, taken)) ?? (await stageImport(tools, taken, stopping));
  const held = { ...taken, rowCount };

  // Told by themselves: what the transactions of these write is seen only when they are over.
  const tell = async (phase: 'checking' | 'applying') =>
    store.write(scope, async ({ db }) => keepHold(tools, db, held, { phase, progress: 0 }));

  const hasPasswords = (await store.read(scope, (db) => countOpenPasswords(db, held))) > 0;
  let isOver = false;
  // Before the word is waited for, and before the passwords, which take longest; once more when it is applied.
  if (held.preview || hasPasswords) {
    await tell('checking');
    isOver = (await checkFirst(tools, held, { settles: held.preview && !hasPasswords })) === 'over';
    if (held.preview && hasPasswords && !isOver) {
      // Which users a password changes is known only when it is compared with theirs.
      await hashPasswords(tools, held, stopping, 'ofUsers');
      await tell('checking');
      isOver = (await checkFirst(tools, held, { settles: true })) === 'over';
    }
    if (held.preview && !isOver) return;
  }
  if (!isOver) {
    if (hasPasswords) await hashPasswords(tools, held, stopping, 'all');
    await tell('applying');
    await store.write(scope, async (tx) => applyImport(tools, tx, held), applyLimit);
  }
  // It may hold passwords. The file service removes it as well, a day later.
  await storage.delete(held.objectKey);
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
async function stagedBefore({ store }: ImportTools, held: HeldImport): Promise<number | null> {
  const there = await store.read(ofPartner(held.partnerId), (db) => countRows(db, held));
  return there === held.rowCount ? there : null;
}

/** The import fails, or is left to the next try. */
async function breakOff(
  { clock, logger, storage, store }: ImportTools,
  held: HeldImport,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  if (error instanceof ImportLost) return;
  const log = logger.child({ partnerId: held.partnerId, importId: held.id, attempt: held.attempt });
  const wrong = faultOf(error);
  if (!wrong && !stopping.aborted) log.error({ err: error }, 'Import broken off');
  const reason = wrong ?? (held.attempt < mostAttempts ? null : ({ message: 'importFailed' } as const));
  try {
    await store.write(ofPartner(held.partnerId), async ({ db }) => {
      const now = clock.now();
      if (!reason) {
        const waitMs = stopping.aborted ? 0 : retryMs * held.attempt;
        await releaseImport(db, held, new Date(now.getTime() + waitMs));
        return;
      }
      await clearStage(db, held);
      const failureLine = Number(reason.params?.['line'] ?? 0) || null;
      await settleImport(db, held, { status: 'failed', failure: reason.message, failureLine }, now);
    });
    if (reason) await storage.delete(held.objectKey);
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
