import { formatDateTime, pushEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import { countReasons, holdNotification, isAllNoted, markDelivered } from '../data/run-repository.ts';

/** Ends a delivery if each device has its outcome. The caller holds the notification: two that end its last pages do it one by one. */
export async function finishDelivery(
  { db, outbox }: Transaction<PushDb>,
  key: { readonly partnerId: number; readonly id: number },
  now: Date,
): Promise<void> {
  if (!(await isAllNoted(db, key))) return;
  const notification = await holdNotification(db, key);
  if (notification?.status !== 'delivering') return;
  const { failureCount, fileId, id, partnerId, startedAt, successCount, targetCount, title } = notification;
  const failureReasons = failureCount === 0 ? [] : await countReasons(db, key);
  const isSuccess = successCount > 0 || targetCount === 0;
  await markDelivered(db, key, {
    status: isSuccess ? 'success' : 'failure',
    finishedAt: now,
    failureReasons,
  });
  outbox.append(isSuccess ? pushEvents.notificationDelivered : pushEvents.notificationFailed, {
    subject: id,
    partnerId,
    data: {
      notificationId: id,
      title,
      fileId,
      startedAt: formatDateTime(startedAt ?? now),
      finishedAt: formatDateTime(now),
      targetCount,
      successCount,
      failureCount,
      failureReasons,
    },
  });
}
