import { type Job, resealJobs } from '@portal/service-kit';
import { sealedKeys } from './databases/data/database-repository.ts';
import { deleteDocuments } from './databases/use-cases/delete-documents.ts';
import { type Changes, measureDatabases } from './databases/use-cases/measure-databases.ts';
import { removeLeftovers } from './databases/use-cases/remove-leftovers.ts';
import type { Dependencies } from './dependencies.ts';

const second = 1_000;
const hour = 3_600 * second;

/** The jobs of this service. */
export const jobs = (deps: Dependencies, changes: Changes): readonly Job[] => [
  {
    name: 'delete-documents',
    everyMs: 5 * second,
    quietMs: 30 * second,
    run: async (run) => deleteDocuments(deps, run),
  },
  {
    name: 'measure-databases',
    everyMs: 10 * second,
    run: async (run) => measureDatabases(deps, changes, run),
  },
  { name: 'remove-leftovers', everyMs: hour, run: async (run) => removeLeftovers(deps, run) },
  ...resealJobs(deps, [sealedKeys]),
];
