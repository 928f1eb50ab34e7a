import { limits } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { HeldImport } from '../data/import-repository.ts';
import { clearStage, insertFaults, learnRows, stageRows } from '../data/import-rows.ts';
import { unreadable } from '../domain/import.ts';
import { endWithFaults } from './check-import.ts';
import { type ImportTools, keepHold, sealOf } from './import-tools.ts';
import { readUserCsv } from './read-user-csv.ts';

/**
 * Puts the rows of the file on the stage, and writes down what is wrong with the others. Passwords are sealed on the way.
 * Answers how many are on the stage, or null for an import that is over, because so many lines are wrong that no more are
 * looked at. Throws `E40002` on csv for a file that can't be read.
 */
export async function stageImport(
  tools: ImportTools,
  held: HeldImport,
  stopping: AbortSignal,
): Promise<number | null> {
  const { seals, storage, store } = tools;
  const scope = ofPartner(held.partnerId);
  await store.write(scope, async ({ db }) => {
    await keepHold(tools, db, held, { phase: 'reading', progress: 0, rowCount: null });
    await clearStage(db, held);
  });

  async function open() {
    const content = await storage.get(held.objectKey);
    if (content === undefined || content === 'not-modified') throw unreadable('importMissing');
    return content.body;
  }

  let rowCount = 0;
  let faultCount = 0;
  for await (const { bytesRead, faults, rows } of readUserCsv(open)) {
    stopping.throwIfAborted();
    const staged = rows.map(({ password, ...row }) => ({
      ...row,
      sealedPassword: password === null ? null : seals.seal(password, sealOf(held, row.line), 'user'),
    }));
    const progress = Math.min(bytesRead / (2 * held.size), 1);
    faultCount += faults.length;
    const isOver = await store.write(scope, async ({ db }) => {
      await keepHold(tools, db, held, { phase: 'reading', progress });
      if (staged.length > 0) await stageRows(db, held, staged);
      if (faults.length > 0) await insertFaults(db, held, faults);
      return faultCount > limits.importLinesKept && (await endWithFaults(tools, db, held));
    });
    if (isOver) return null;
    rowCount += rows.length;
  }
  await store.write(scope, async ({ db }) => {
    await keepHold(tools, db, held, { phase: 'reading', progress: 1, rowCount });
    await learnRows(db);
  });
  return rowCount;
}
