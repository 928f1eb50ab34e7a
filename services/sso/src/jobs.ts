import type { Job } from '@portal/service-kit';
import type { Dependencies } from './dependencies.ts';
import { refreshDueMetadata } from './settings/use-cases/refresh-metadata.ts';

const minute = 60_000;

/** The jobs of this service. */
export function jobs(deps: Dependencies): readonly Job[] {
  return [
    { name: 'refresh-metadata', everyMs: 5 * minute, run: async (run) => refreshDueMetadata(deps, run) },
  ];
}
