import { pushRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import { canSend } from '../../certifications/data/sending-view.ts';
import type { Dependencies } from '../../dependencies.ts';
import { countAudience } from '../data/audience-views.ts';
import { requireAudience } from '../use-cases/require-audience.ts';

export function audienceRoutes(deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>): Implementation[] {
  return [
    implement(pushRoutes.countPushAudience, async ({ params: { pid }, body }, { scope }) => {
      const audience = await requireAudience(deps, pid, body);
      return deps.store.read(scope, async (db) => ({
        ...(await countAudience(db, pid, audience)),
        sends: await canSend(db, pid),
      }));
    }),
  ];
}
