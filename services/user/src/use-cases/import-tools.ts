import type { Logger } from '@portal/kernel';
import type { Seals } from '@portal/service-kit';
import type { ObjectStorage } from '@portal/storage';
import type { UserDb } from '../data/db.ts';
import { type HeldImport, holdImport } from '../data/import-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import type { ImportPhase } from '../domain/import.ts';

/** What imports are worked on with. */
export interface ImportTools extends Pick<CallDependencies, 'clock' | 'passwords' | 'store'> {
  readonly logger: Logger;
  readonly seals: Seals;
  readonly storage: ObjectStorage;
}

/** A worker that has not been heard of for so long is dead, and another may take its import. */
export const leaseMs = 60_000;

const turnMs = 3_000;

/** While an import is worked on others wait: when its turn is over it goes on behind them, wherever it can be taken up again. */
export interface Turn {
  isOver(): boolean;
}

export function beginTurn(): Turn {
  const end = performance.now() + turnMs;
  return { isOver: () => performance.now() > end };
}

/** Tells how far a held import is, and keeps it from other workers. Throws `ImportLost` when one has it already. */
export async function keepHold(
  { clock }: Pick<ImportTools, 'clock'>,
  db: UserDb,
  held: HeldImport,
  told: { phase: ImportPhase; progress: number; rowCount?: number | null },
): Promise<void> {
  await holdImport(db, held, { ...told, leasedUntil: new Date(clock.now().getTime() + leaseMs) });
}

/** Under which context a password is sealed: it opens in its own place alone. */
export function sealOf({ id }: HeldImport, line: number): string {
  return `import ${id} line ${line}`;
}
