import { fileEvents } from '@portal/contracts';
import { keepExportTasks } from '@portal/csv-export';
import { type EventHandler, on, partnerOf } from '@portal/service-kit';
import { groups, people } from '../audience/use-cases/keep-copies.ts';
import type { PushDb } from '../data/db.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';
import { beginQueue } from '../delivery/data/begin-queue.ts';
import type { Dependencies } from '../dependencies.ts';
import { keepDevices } from '../devices/use-cases/keep-devices.ts';
import { forgetFilePushes } from '../notifications/data/file-push-repository.ts';
import { notificationExport } from '../notifications/data/notification-export.ts';
import { notifyOfFile } from '../notifications/use-cases/notify-of-file.ts';

/** All events of other services that this service handles. */
export const subscriptions = (
  deps: Pick<Dependencies, 'cipher' | 'clock' | 'seals'>,
): readonly EventHandler<PushDb>[] => [
  ...partnerSubscriptions<PushDb>(),
  ...groups.subscriptions,
  ...people.subscriptions,
  ...keepDevices(deps),
  on(
    fileEvents.fileDelivered,
    'notify-of-files',
    async (tx, event) => notifyOfFile(tx, partnerOf(event), event.data, deps.clock.now()),
    { wakes: beginQueue.name },
  ),
  on(fileEvents.fileDeleted, 'notify-of-files', async ({ db }, event) =>
    forgetFilePushes(db, partnerOf(event), event.data.fileId),
  ),
  ...keepExportTasks([notificationExport.kind]),
];
