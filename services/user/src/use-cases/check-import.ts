import { limits } from '@portal/contracts';
import type { UserDb } from '../data/db.ts';
import { countPlanned, findFaults, joinByHash, pieces, planPiece } from '../data/import-plan.ts';
import { type HeldImport, settleImport } from '../data/import-repository.ts';
import { clearRows, countFaults, dropFaultsBeyond } from '../data/import-rows.ts';
import { type ImportCounts, nothing } from '../domain/import.ts';
import { type ImportTools, keepHold } from './import-tools.ts';

const most = limits.importLinesKept;

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
  await findFaults(db, held, most + 1);
  return (await endWithFaults(tools, db, held)) ? null : countPlanned(db, held);
}

/** Ends an import that has bad lines, of which no more than the first are kept. Answers whether it has any. */
export async function endWithFaults(tools: ImportTools, db: UserDb, held: HeldImport): Promise<boolean> {
  const found = await countFaults(db, held);
  if (found === 0) return false;
  const told = { errorCount: Math.min(found, most), moreErrors: found > most };
  if (told.moreErrors) await dropFaultsBeyond(db, held, most);
  await clearRows(db, held);
  await settleImport(db, held, { status: 'complete', ...told, ...nothing }, tools.clock.now());
  return true;
}
