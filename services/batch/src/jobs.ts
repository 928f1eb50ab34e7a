import { exportJobs } from '@portal/csv-export';
import type { Job, ServiceContext } from '@portal/service-kit';
import type { BatchDb } from './data/db.ts';
import { operationExport } from './data/operation-export.ts';
import { failStalledExports } from './use-cases/fail-stalled-exports.ts';
import { forgetPeople } from './use-cases/forget-people.ts';
import { maintainPartitions } from './use-cases/maintain-partitions.ts';
import { removeExports } from './use-cases/remove-exports.ts';

const second = 1_000;
const hour = 3_600 * second;

/** The jobs of this service. */
export function jobs(deps: ServiceContext<BatchDb, unknown>): readonly Job[] {
  return [
    ...exportJobs(deps, [operationExport]),
    {
      name: 'settle-silent',
      everyMs: 10 * second,
      quietMs: 30 * second,
      run: async (run) => failStalledExports(deps, run),
    },
    {
      name: 'remove-exports',
      everyMs: 10 * second,
      quietMs: 60 * second,
      run: async (run) => removeExports(deps, run),
    },
    { name: 'keep-months', everyMs: hour, run: async (run) => maintainPartitions(deps, run) },
    { name: 'forget-people', everyMs: hour, run: async (run) => forgetPeople(deps, run) },
  ];
}
