import { pushEvents } from '@portal/contracts';
import { concernsRecord, ofPartner } from '@portal/service-kit';
import { cancelDelivery } from '../../delivery/data/begin-queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteNotificationRow, lockNotification } from '../data/notification-repository.ts';
import { requireWaiting } from '../domain/notification.ts';

/** Throws `E40401` for one that the partner does not have, `E40034` once its delivery has begun. */
export async function deleteNotification(
  { store }: Pick<Dependencies, 'store'>,
  key: { readonly partnerId: number; readonly id: number },
): Promise<void> {
  const { id, partnerId } = key;
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const notification = await lockNotification(db, key);
    requireWaiting(notification);
    concernsRecord({ id, name: notification.title ?? notification.message });
    await cancelDelivery(db, id);
    await deleteNotificationRow(db, key);
    outbox.append(pushEvents.notificationDeleted, {
      subject: id,
      partnerId,
      data: { notificationId: id },
    });
  });
}
