import { pushRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { countAudience } from '../data/audience-views.ts';
import { requireAudience } from '../use-cases/require-audience.ts';

export function audienceRoutes(deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>): Implementation[] {
  return [
    implement(pushRoutes.countPushAudience, async ({ params: { pid }, body }, { scope }) => {
      const audience = await requireAudience(deps, pid, body);
      return deps.store.read(scope, async (db) => countAudience(db, pid, audience));
    }),
  ];
}
