import { foldCase } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { operator } from '@portal/storage';
import type { PushDb } from '../../data/db.ts';
import type { Notification } from '../../data/generated/client.ts';
import type { NotificationContent } from '../domain/notification.ts';

export type { Notification };

interface NotificationKey {
  readonly partnerId: number;
  readonly id: number;
}

export async function insertNotification(
  db: PushDb,
  { fileId, partnerId }: { readonly partnerId: number; readonly fileId: number | null },
  content: NotificationContent,
  { dueAt, now }: { readonly dueAt: Date; readonly now: Date },
): Promise<Notification> {
  const columns = columnsOf(content);
  return db.notification.create({
    data: { partnerId, fileId, ...columns, status: 'waiting', dueAt, createdAt: now, updatedAt: now },
  });
}

/** Throws `E40401` for one that the partner does not have. */
export async function requireNotification(
  db: PushDb,
  { id, partnerId }: NotificationKey,
): Promise<Notification> {
  const notification = await db.notification.findUnique({ where: { partnerId_id: { partnerId, id } } });
  if (!notification) throw new AppError('E40401');
  return notification;
}

/** Holds the notification until the transaction ends. Throws `E40401` for one that the partner does not have. */
export async function lockNotification(db: PushDb, key: NotificationKey): Promise<Notification> {
  await db.$queryRaw`
    SELECT 1 FROM notifications WHERE partner_id = ${key.partnerId} AND id = ${key.id} FOR UPDATE`;
  return requireNotification(db, key);
}

export async function saveNotification(
  db: PushDb,
  { id, partnerId }: NotificationKey,
  content: NotificationContent,
  { dueAt, now }: { readonly dueAt: Date; readonly now: Date },
): Promise<Notification> {
  return db.notification.update({
    where: { partnerId_id: { partnerId, id } },
    data: { ...columnsOf(content), dueAt, revision: { increment: 1 }, updatedAt: now },
  });
}

export async function deleteNotificationRow(db: PushDb, { id, partnerId }: NotificationKey): Promise<void> {
  await db.notification.delete({ where: { partnerId_id: { partnerId, id } } });
}

/**
 * Sees that there is what a notification is to be sent with, and holds a certification of the partner until the transaction ends.
 * @throws AppError `E40401` on `certificationId` for one that the partner does not have; `E40304` where its contract has none of its
 *   own; `E40030` where the operator has none
 */
export async function requireCertification(
  db: PushDb,
  partnerId: number,
  { certificationId, hasOwn }: { readonly certificationId: number | null; readonly hasOwn: boolean },
): Promise<void> {
  if (certificationId === null) {
    const operators = await db.certification.findFirst({
      where: { partnerId: operator },
      select: { id: true },
    });
    if (!operators) throw new AppError('E40030');
    return;
  }
  const held = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM certifications WHERE partner_id = ${partnerId} AND id = ${certificationId} FOR KEY SHARE`;
  if (held.length === 0) throw fieldError('E40401', 'certificationId', 'notFound');
  if (!hasOwn) throw new AppError('E40304');
}

function columnsOf({ groupIds, userIds, ...content }: NotificationContent) {
  return {
    ...content,
    titleKey: content.title === null ? '' : foldCase(content.title),
    groupIds: [...groupIds],
    userIds: [...userIds],
  };
}
