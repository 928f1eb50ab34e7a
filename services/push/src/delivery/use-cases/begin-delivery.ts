import { formatDateTime, isLicenceOver, pushEvents } from '@portal/contracts';
import type { HeldTask } from '@portal/service-kit';
import { type AudienceToRead, audienceOf } from '../../audience/domain/audience.ts';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { lockLanes, openLanes } from '../data/lane-queue.ts';
import {
  devicesOfPage,
  findOpenRun,
  holdNotification,
  markDelivering,
  type Notification,
  saveRun,
  writeDeliveries,
} from '../data/run-repository.ts';
import { finishDelivery } from './finish-delivery.ts';

const pagesAtOnce = 2;
/** So that another notification has its turn. */
const turnMs = 1_000;

/**
 * Begins the delivery of a notification whose time has come, and writes down its audience as it is now, for lanes to send to; goes on
 * where a former turn has stopped. `wake` is called when there is something to send.
 */
export async function beginDelivery(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  task: HeldTask<null>,
  wake: (partnerId: number) => void,
): Promise<void | { readonly notBefore: Date }> {
  const { clock, store } = deps;
  const { partnerId } = task;
  if (partnerId === null) throw new Error('A notification is of a tenant');
  const key = { partnerId, id: Number(task.id) };
  const state = await store.write(task.scope, async ({ db, outbox }) => {
    await task.hold(db);
    const notification = await holdNotification(db, key);
    const now = clock.now();
    if (notification?.status === 'waiting') {
      // It was put off at this moment.
      if (notification.dueAt > now) return { notBefore: notification.dueAt };
      await markDelivering(db, key, now);
      outbox.append(pushEvents.notificationDelivering, {
        subject: key.id,
        partnerId,
        data: { notificationId: key.id, startedAt: formatDateTime(now) },
      });
      return { notification };
    }
    if (notification?.status === 'delivering') return { notification };
    await task.finish(db);
    return {};
  });
  if (!state.notification) return state.notBefore && { notBefore: state.notBefore };

  const { fileId } = state.notification;
  const audience = await openAudience(deps, state.notification);
  const end = performance.now() + turnMs;
  let isWritten = false;
  while (!isWritten && performance.now() < end) {
    task.signal.throwIfAborted();
    isWritten = await store.write(task.scope, async (tx) => {
      const { db } = tx;
      await task.hold(db);
      const run = await findOpenRun(db, key);
      if (!run) {
        await task.finish(db);
        return true;
      }
      const now = clock.now();
      const devicesAtOnce = pagesAtOnce * devicesOfPage(run.pages);
      await lockLanes(db, partnerId);
      const written =
        audience &&
        (await writeDeliveries(db, { ...key, fileId }, audience, run, { most: devicesAtOnce, now }));
      const { after, devices = 0, pages = 0 } = written ?? {};
      const isEnd = devices < devicesAtOnce;
      await openLanes(db, partnerId, run.pages + pages, now);
      // At last: lanes that note what they have sent wait from then on.
      await saveRun(db, key, {
        after: after ?? run.after,
        pages: run.pages + pages,
        devices,
        isWritten: isEnd,
      });
      if (!isEnd) return false;
      await finishDelivery(tx, key, now);
      await task.finish(db);
      return true;
    });
    wake(partnerId);
  }
  return undefined;
}

/** Undefined for nobody: a tenant whose licence is over gets nothing. */
async function openAudience(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  notification: Notification,
): Promise<AudienceToRead | undefined> {
  const { licenseExpiredOn } = await knowPartner(deps, notification.partnerId);
  const end = licenseExpiredOn === null ? null : new Date(licenseExpiredOn);
  if (isLicenceOver(end, deps.clock.now())) return undefined;
  return audienceOf(notification);
}
