import { findPushSending } from '@portal/contracts/internal';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { canSend } from '../certifications/data/sending-view.ts';
import type { Dependencies } from '../dependencies.ts';

/** What other services ask. */
export function internalRoutes({ store }: Pick<Dependencies, 'store'>): Implementation[] {
  return [
    implement(findPushSending, async ({ body: { partnerId } }) => ({
      sends: await store.read(ofPartner(partnerId), async (db) => canSend(db, partnerId)),
    })),
  ];
}
