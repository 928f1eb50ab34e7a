import { exportJobs } from '@portal/csv-export';
import type { Job } from '@portal/service-kit';
import { importQueues } from './data/import-repository.ts';
import { userExport } from './data/user-export.ts';
import type { ImportDependencies } from './dependencies.ts';
import { mailFileNotices } from './use-cases/mail-file-notices.ts';
import { retell } from './use-cases/retell.ts';
import { importWorker } from './use-cases/run-user-imports.ts';
import { sweepImports } from './use-cases/sweep-imports.ts';
import { sweepLicenceHolds } from './use-cases/sweep-licence-holds.ts';

const second = 1_000;
const minute = 60 * second;

/** Woken when the file of an import has arrived. */
export const importJob = 'import-users';

/** Woken when a file with notices by mail was delivered. */
export const fileNoticeJob = 'mail-file-notices';

/** The jobs of this service. */
export function jobs(deps: ImportDependencies & { readonly databaseUrl: string }): readonly Job[] {
  return [
    ...Object.values(importQueues).map((queue) => ({ ...importWorker(deps, queue).job, name: importJob })),
    {
      name: fileNoticeJob,
      everyMs: 5 * second,
      quietMs: minute,
      run: async (run) => mailFileNotices(deps, run),
    },
    { name: 'sweep-imports', everyMs: 10 * minute, run: async (run) => sweepImports(deps, run) },
    {
      name: 'sweep-licence-holds',
      everyMs: 10 * minute,
      run: async ({ scope }) => sweepLicenceHolds(deps, scope),
    },
    { name: 'retell', everyMs: minute, run: async (run) => retell(deps, run) },
    ...exportJobs(deps, [userExport]),
  ];
}
