import { pushEvents } from '@portal/contracts';
import { concernsRecord, ofPartner } from '@portal/service-kit';
import { type NamedAudience, requireAudience } from '../../audience/use-cases/require-audience.ts';
import { scheduleDelivery } from '../../delivery/data/begin-queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import {
  lockNotification,
  type Notification,
  requireCertification,
  requireNotification,
  saveNotification,
} from '../data/notification-repository.ts';
import {
  changedNotification,
  knownTarget,
  type NotificationChange,
  type NotificationContent,
  notificationStateOf,
  requireSendable,
  requireWaiting,
} from '../domain/notification.ts';
import { hasOwnCertifications } from './own-certifications.ts';

/**
 * Changes a notification that waits. Answers whether its time has come.
 * @throws AppError `E40401`; `E40034` once its delivery has begun; and what `createNotification` throws
 */
export async function updateNotification(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  key: { readonly partnerId: number; readonly id: number },
  fields: Omit<NotificationChange, 'audience'> & NamedAudience,
): Promise<{ readonly isDue: boolean }> {
  const { clock, store } = deps;
  const { partnerId } = key;
  requireWaiting(await store.read(ofPartner(partnerId), async (db) => requireNotification(db, key)));
  const isNamed = fields.groupId !== undefined || fields.userIds !== undefined;
  const audience = isNamed ? await requireAudience(deps, partnerId, fields) : undefined;
  const change = { ...fields, audience };
  const hasOwn = await hasOwnCertifications(deps, partnerId);
  return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const before = await lockNotification(db, key);
    requireWaiting(before);
    const now = clock.now();
    const content = changedNotification(contentOf(before), change);
    requireSendable(content, change, now);
    const { certificationId, deliverDatetime } = content;
    if (change.certificationId !== undefined) {
      // The one that it waits with stays, also where the contract has none of its own any more.
      const isKept = certificationId === before.certificationId;
      await requireCertification(db, partnerId, { certificationId, hasOwn: hasOwn || isKept });
    }
    const dueAt = change.deliverDatetime === undefined ? before.dueAt : (deliverDatetime ?? now);
    const after = await saveNotification(db, key, content, { dueAt, now });
    await scheduleDelivery(db, after, now);
    concernsRecord({ id: after.id, name: after.title ?? after.message });
    outbox.append(pushEvents.notificationUpdated, {
      subject: after.id,
      partnerId,
      data: notificationStateOf(after),
    });
    return { isDue: dueAt <= now };
  });
}

const contentOf = (notification: Notification): NotificationContent => ({
  title: notification.title,
  message: notification.message,
  json: notification.json,
  certificationId: notification.certificationId,
  target: knownTarget(notification.target),
  groupIds: notification.groupIds,
  userIds: notification.userIds,
  deliverDatetime: notification.deliverDatetime,
});
