import { limits } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import { type ClaimedImport, lockClaimedImport } from '../data/import-repository.ts';
import { analyzeStage, clearStage, insertFaults, stageRows } from '../data/import-rows.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { importSeal, unreadable } from '../domain/import.ts';
import { endWithFaults } from './check-import.ts';
import { readUserCsv } from './read-user-csv.ts';

/**
 * Puts the rows of the file on the stage, and writes down what is wrong with the others. Passwords are sealed on the way.
 * Answers how many are on the stage, or null for an import that is over, because so many lines are wrong that no more are
 * looked at. Throws `E40002` on csv for a file that can't be read.
 */
export async function stageImport(deps: ImportDependencies, held: ClaimedImport): Promise<number | null> {
  const { seals, storage, store } = deps;
  const scope = ofPartner(held.partnerId);
  await store.write(scope, async ({ db }) => {
    await lockClaimedImport(db, held, { phase: 'reading', progress: 0, rowCount: null });
    await clearStage(db, held);
  });

  async function open() {
    const content = await storage.get(held.objectKey);
    if (content === undefined || content === 'not-modified') throw unreadable('importMissing');
    return content.body;
  }

  let rowCount = 0;
  let faultCount = 0;
  /** The rows that were read last are written while the next ones are read. */
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const { bytesRead, faults, rows } of readUserCsv(open)) {
      held.task.signal.throwIfAborted();
      const staged = rows.map(({ password, ...row }) => ({
        ...row,
        sealedPassword:
          password === null ? null : seals.seal(password, importSeal(held.id, row.line), 'user'),
      }));
      const progress = Math.min(bytesRead / (2 * held.size), 1);
      await writing;
      rowCount += rows.length;
      faultCount += faults.length;
      const isTooMuch = faultCount > limits.importLinesKept;
      const written = store.write(scope, async (tx) => {
        const { db } = tx;
        await lockClaimedImport(db, held, { phase: 'reading', progress });
        if (staged.length > 0) await stageRows(db, held, staged);
        if (faults.length > 0) await insertFaults(db, held, faults);
        return isTooMuch && (await endWithFaults(deps, tx, held));
      });
      // An import that is over is not read further.
      if (isTooMuch && (await written)) return null;
      writing = written;
      // A failure is told where the next rows, or the end, wait for it.
      writing.catch(() => undefined);
    }
  } finally {
    // Whatever ends this, nothing is written behind it.
    await writing.catch(() => undefined);
  }
  await writing;
  await store.write(scope, async ({ db }) => {
    await lockClaimedImport(db, held, { phase: 'reading', progress: 1, rowCount });
    await analyzeStage(db);
  });
  return rowCount;
}
