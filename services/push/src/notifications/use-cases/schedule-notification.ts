import { pushEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import { scheduleDelivery } from '../../delivery/data/begin-queue.ts';
import { insertNotification, type Notification } from '../data/notification-repository.ts';
import { type NotificationContent, notificationStateOf } from '../domain/notification.ts';

/** Writes a notification down, and has its delivery begin at its time. `fileId` is the file that it tells of. */
export async function scheduleNotification(
  { db, outbox }: Transaction<PushDb>,
  owner: { readonly partnerId: number; readonly fileId: number | null },
  content: NotificationContent,
  now: Date,
): Promise<Notification> {
  const dueAt = content.deliverDatetime ?? now;
  const made = await insertNotification(db, owner, content, { dueAt, now });
  await scheduleDelivery(db, made, now);
  outbox.append(pushEvents.notificationScheduled, {
    subject: made.id,
    partnerId: made.partnerId,
    data: notificationStateOf(made),
  });
  return made;
}
