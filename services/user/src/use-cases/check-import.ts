import { limits } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { countFreed, countPlanned, findFaults, joinByHash, pieces, planPiece } from '../data/import-plan.ts';
import { type ClaimedImport, lockClaimedImport } from '../data/import-repository.ts';
import { clearRows, countFaults, dropFaultsBeyond } from '../data/import-rows.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { type ImportCounts, licencesNeededBy, nothing } from '../domain/import.ts';
import { endHeldImport } from './end-import.ts';

const most = limits.importLinesKept;

/**
 * Finds out what the rows on the stage would do, and what is wrong with them: then the import is over, with nothing done.
 * Returns the counts, or null for an import that has ended.
 */
export async function checkImport(
  deps: ImportDependencies,
  tx: Transaction<UserDb>,
  held: ClaimedImport,
  { applying }: { applying: boolean },
): Promise<ImportCounts | null> {
  const { db } = tx;
  const phase = applying ? 'applying' : 'checking';
  await lockClaimedImport(db, held, { phase, progress: 0 });
  await joinByHash(db, held);
  for (const piece of await pieces(db, held)) await planPiece(db, held, piece, { numbered: applying });
  const counts = await countPlanned(db, held);
  const freed = counts.deleteCount === 0 ? 0 : await countFreed(db, held);
  const licencesNeeded = licencesNeededBy(counts, freed);
  await lockClaimedImport(db, held, { phase, progress: 0, licencesNeeded });
  await findFaults(db, held, { freed, licencesNeeded, most: most + 1 });
  return (await endWithFaults(deps, tx, held)) ? null : counts;
}

/** Ends an import that has bad lines, of which no more than the first are kept. Answers whether it has any. */
export async function endWithFaults(
  deps: ImportDependencies,
  tx: Transaction<UserDb>,
  held: ClaimedImport,
): Promise<boolean> {
  const { db } = tx;
  const found = await countFaults(db, held);
  if (found === 0) return false;
  const told = { errorCount: Math.min(found, most), moreErrors: found > most };
  if (told.moreErrors) await dropFaultsBeyond(db, held, most);
  await clearRows(db, held);
  await endHeldImport(tx, held, { status: 'complete', ...told, ...nothing }, deps.clock.now());
  return true;
}
