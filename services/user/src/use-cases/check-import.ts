import type { UserDb } from '../data/db.ts';
import { countPlanned, findFaults, joinByHash, pieces, planPiece } from '../data/import-plan.ts';
import { type HeldImport, settleImport } from '../data/import-repository.ts';
import { clearRows, countFaults } from '../data/import-rows.ts';
import { type ImportCounts, nothing } from '../domain/import.ts';
import { type ImportTools, keepHold } from './import-tools.ts';

/**
 * Finds out what the rows on the stage would do, and what is wrong with them: then the import is over, with nothing done.
 * Answers the counts, or null for an import that is over.
 */
export async function checkImport(
  tools: ImportTools,
  db: UserDb,
  held: HeldImport,
  { applying }: { applying: boolean },
): Promise<ImportCounts | null> {
  await keepHold(tools, db, held, { phase: applying ? 'applying' : 'checking', progress: 0 });
  await joinByHash(db, held);
  for (const piece of await pieces(db, held)) await planPiece(db, held, piece, { numbered: applying });
  await findFaults(db, held);
  const errorCount = await countFaults(db, held);
  if (errorCount === 0) return countPlanned(db, held);
  await clearRows(db, held);
  await settleImport(db, held, { status: 'complete', errorCount, ...nothing }, tools.clock.now());
  return null;
}
