import { type Job, resealJobs } from '@portal/service-kit';
import type { Dependencies } from './dependencies.ts';
import { sealedKeys } from './service-provider/data/key-repository.ts';
import { refreshDueMetadata } from './settings/use-cases/refresh-metadata.ts';
import { forgetOver } from './sign-in/data/history-repository.ts';

const minute = 60_000;

/** The jobs of this service. */
export function jobs(deps: Dependencies): readonly Job[] {
  const { clock, store } = deps;
  return [
    { name: 'refresh-metadata', everyMs: 5 * minute, run: async (run) => refreshDueMetadata(deps, run) },
    {
      name: 'forget-over-sign-ins',
      everyMs: 10 * minute,
      async run({ scope, stopping }) {
        const forget = async () => store.write(scope, async ({ db }) => forgetOver(db, clock.now()));
        while (!stopping.aborted && (await forget()) > 0);
      },
    },
    ...resealJobs(deps, [sealedKeys]),
  ];
}
