import type { Job } from '@portal/service-kit';
import { addUpAudienceCounts } from './audience/data/audience-count-repository.ts';
import type { Dependencies } from './dependencies.ts';

const minute = 60_000;

/** The jobs of this service. */
export function jobs({ store }: Pick<Dependencies, 'store'>): readonly Job[] {
  return [
    {
      name: 'add-up-audiences',
      everyMs: minute,
      run: async ({ scope }) => store.write(scope, async ({ db }) => addUpAudienceCounts(db)),
    },
  ];
}
