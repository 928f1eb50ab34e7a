import type { EventHandler } from '@portal/service-kit';
import type { DocumentDb } from '../data/db.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';

/** All events of other services that this service handles. */
export const subscriptions = (): readonly EventHandler<DocumentDb>[] => [
  ...partnerSubscriptions<DocumentDb>(),
];
