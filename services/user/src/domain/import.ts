import type { FieldMessageKey, UserCsvField, userRoutes } from '@portal/contracts';
import { fieldError } from '@portal/kernel';

/**
 * `waiting` for its file; `ready` to be worked on, or in work; `checked`: waits for a word before it is applied;
 * `complete`, also when lines were wrong and nothing was applied; `failed`.
 */
export type ImportStatus = 'waiting' | 'ready' | 'checked' | 'complete' | 'failed';
export type ImportPhase = (typeof userRoutes.importPhases)[number];

/** One thing that is wrong with a line of the file. */
export interface LineFault {
  readonly line: number;
  readonly field: UserCsvField;
  readonly code: string;
  readonly message: FieldMessageKey;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** What a checked import would do, and an applied one did. */
export interface ImportCounts {
  readonly createCount: number;
  readonly updateCount: number;
  readonly unchangedCount: number;
  readonly deleteCount: number;
  /** Created people who get a mail to choose a first password, if such mails are to be sent. */
  readonly mailCount: number;
}

export const nothing: ImportCounts = {
  createCount: 0,
  updateCount: 0,
  unchangedCount: 0,
  deleteCount: 0,
  mailCount: 0,
};

/** How many licences more than before an import takes, which frees some: who is inactive has none. */
export function licencesNeededBy({ createCount }: Pick<ImportCounts, 'createCount'>, freed: number): number {
  return Math.max(0, createCount - freed);
}

/** Whether an import does as much as the user confirmed; one more deletion is a difference. */
export function doesAsMuch(counts: ImportCounts, confirmed: ImportCounts): boolean {
  return (
    counts.createCount === confirmed.createCount &&
    counts.updateCount === confirmed.updateCount &&
    counts.unchangedCount === confirmed.unchangedCount &&
    counts.deleteCount === confirmed.deleteCount
  );
}

/** The file as a whole can't be imported, and another try would not change that. */
export function unreadable(message: FieldMessageKey, line?: number) {
  return fieldError('E40002', 'csv', message, line === undefined ? undefined : { line });
}

/** The context with which the password of a line is sealed, so that it opens for that line only. */
export function importSeal(importId: number, line: number): string {
  return `import ${importId} line ${line}`;
}
