import type { EventHandler } from '@portal/service-kit';
import type { PushDb } from '../data/db.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';

/** All events of other services that this service handles. */
export const subscriptions: readonly EventHandler<PushDb>[] = [...partnerSubscriptions<PushDb>()];
