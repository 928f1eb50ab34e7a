import { tenantEvents } from '@portal/contracts';
import { type EventHandler, on } from '@portal/service-kit';
import type { SsoDb } from '../data/db.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { renameEntity } from '../settings/use-cases/rename-entity.ts';

/** All events of other services that this service handles. */
export const subscriptions = ({
  publicUrl,
}: Pick<Dependencies, 'publicUrl'>): readonly EventHandler<SsoDb>[] => [
  ...partnerSubscriptions<SsoDb>(),
  on(tenantEvents.partnerUpdated, 'rename-entities', async (tx, event) => renameEntity(tx, event, publicUrl)),
];
