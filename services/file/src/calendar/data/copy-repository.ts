import type { FileDb } from '../../data/db.ts';
import type { CalendarCertification, CalendarNotification } from '../../data/generated/client.ts';

export async function keepNotifications(
  db: FileDb,
  notifications: readonly CalendarNotification[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO calendar_notifications (notification_id, partner_id, title, due_at, file_id)
    SELECT "notificationId", "partnerId", title, "dueAt", "fileId"
    FROM jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) AS one (
      "notificationId" integer, "partnerId" integer, title text, "dueAt" timestamptz, "fileId" integer)
    ON CONFLICT (notification_id) DO UPDATE
      SET title = excluded.title, due_at = excluded.due_at, file_id = excluded.file_id`;
}

export async function dropNotifications(db: FileDb, ids: readonly number[]): Promise<void> {
  await db.calendarNotification.deleteMany({ where: { notificationId: { in: [...ids] } } });
}

export async function keepCertifications(
  db: FileDb,
  certifications: readonly CalendarCertification[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO calendar_certifications (certification_id, partner_id, name, ends_at)
    SELECT "certificationId", "partnerId", name, "endsAt"
    FROM jsonb_to_recordset(${JSON.stringify(certifications)}::jsonb) AS one (
      "certificationId" integer, "partnerId" integer, name text, "endsAt" timestamptz)
    ON CONFLICT (certification_id) DO UPDATE SET name = excluded.name, ends_at = excluded.ends_at`;
}

export async function dropCertifications(db: FileDb, ids: readonly number[]): Promise<void> {
  await db.calendarCertification.deleteMany({ where: { certificationId: { in: [...ids] } } });
}
