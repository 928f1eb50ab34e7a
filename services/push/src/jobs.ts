import type { Job } from '@portal/service-kit';
import { addUpAudienceCounts } from './audience/data/audience-count-repository.ts';
import { forgetDeliveries } from './delivery/data/run-repository.ts';
import type { Deliverer } from './delivery/use-cases/create-deliverer.ts';
import type { Dependencies } from './dependencies.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const deliveriesKeptMs = 30 * day;

/** The jobs of this service. */
export function jobs(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  deliverer: Deliverer,
): readonly Job[] {
  return [
    ...deliverer.jobs,
    {
      name: 'forget-deliveries',
      everyMs: 60 * minute,
      async run({ scope, stopping }) {
        const before = new Date(clock.now().getTime() - deliveriesKeptMs);
        while (!stopping.aborted && (await store.write(scope, ({ db }) => forgetDeliveries(db, before))) > 0);
      },
    },
    {
      name: 'add-up-audiences',
      everyMs: minute,
      run: async ({ scope }) => store.write(scope, async ({ db }) => addUpAudienceCounts(db)),
    },
  ];
}
