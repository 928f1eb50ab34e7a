import { limits } from '@portal/contracts';
import type { Job } from '@portal/service-kit';
import type { ImportTools } from './use-cases/import-tools.ts';
import { runUserImports } from './use-cases/run-user-imports.ts';
import { sweepImports } from './use-cases/sweep-imports.ts';

const second = 1_000;
const minute = 60 * second;

/** Woken when the file of an import is there. */
export const importJob = 'import-users';

/** Bytes: what takes seconds to read, check and apply. */
const smallFile = 1024 ** 2;

/** A large file takes minutes, even in turns: one worker is there for small files alone, which thus wait for no large one. */
const largestFiles = [smallFile, limits.maxImportSize];

/** All that this service does by itself. */
export function jobs(tools: ImportTools): readonly Job[] {
  return [
    ...largestFiles.map((largest) => ({
      name: importJob,
      everyMs: 3 * second,
      run: async (stopping: AbortSignal) => runUserImports(tools, { largest, stopping }),
    })),
    { name: 'sweep-imports', everyMs: 10 * minute, run: async () => sweepImports(tools) },
  ];
}
