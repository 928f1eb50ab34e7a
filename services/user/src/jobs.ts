import type { Job } from '@portal/service-kit';
import type { ImportTools } from './use-cases/import-tools.ts';
import { runUserImports } from './use-cases/run-user-imports.ts';
import { sweepImports } from './use-cases/sweep-imports.ts';

const second = 1_000;
const minute = 60 * second;

/** Woken when the file of an import is there. */
export const importJob = 'import-users';

/** A tenant with many passwords keeps a worker for minutes; another one is there for the others. */
const importWorkers = [
  { name: importJob, everyMs: 2 * second },
  { name: 'import-users-besides', everyMs: 5 * second },
];

/** All that this service does by itself. */
export function jobs(tools: ImportTools): readonly Job[] {
  return [
    ...importWorkers.map((worker) => ({
      ...worker,
      run: async (stopping: AbortSignal) => runUserImports(tools, stopping),
    })),
    { name: 'sweep-imports', everyMs: 10 * minute, run: async () => sweepImports(tools) },
  ];
}
