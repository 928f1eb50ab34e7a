import { keepExportTasks } from '@portal/csv-export';
import type { EventHandler } from '@portal/service-kit';
import { groups, people } from '../audience/use-cases/keep-copies.ts';
import type { PushDb } from '../data/db.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { keepDevices } from '../devices/use-cases/keep-devices.ts';
import { notificationExport } from '../notifications/data/notification-export.ts';

/** All events of other services that this service handles. */
export const subscriptions = (
  deps: Pick<Dependencies, 'cipher' | 'seals'>,
): readonly EventHandler<PushDb>[] => [
  ...partnerSubscriptions<PushDb>(),
  ...groups.subscriptions,
  ...people.subscriptions,
  ...keepDevices(deps),
  ...keepExportTasks([notificationExport.kind]),
];
