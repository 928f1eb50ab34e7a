import { type fileRoutes, limits } from '@portal/contracts';
import { Prisma } from '../../data/generated/client.ts';

type FileState = fileRoutes.FileState;

/** How far an `upload` of a file without complete bytes is. */
const uploadState = (now: Date) => {
  const pausedBefore = new Date(now.getTime() - limits.uploadPause);
  return Prisma.sql`
    CASE WHEN upload.status = 'verifying' THEN 'uploading'
      WHEN upload.stored_bytes = 0 AND upload.active_at <= upload.opened_at THEN 'draft'
      WHEN upload.active_at > ${pausedBefore} THEN 'uploading'
      WHEN upload.stored_bytes > 0 THEN 'interrupted'
      ELSE 'draft' END`;
};

const isComplete = Prisma.sql`file.current_version_id IS NOT NULL`;
const isAssigned = Prisma.sql`file.assigned_at IS NOT NULL`;
/** Whether what is reserved of its delivery has come. */
export const isDue = (now: Date | Prisma.Sql) =>
  Prisma.sql`(file.deliver_reservation_at IS NULL OR file.deliver_reservation_at <= ${now})`;
export const hasUpdateAhead = (now: Date) =>
  Prisma.sql`(file.reserved_version_id IS NOT NULL AND file.update_reservation_at > ${now})`;

/** The state of `file`, whose open upload, if it has one, is `upload`. */
export const fileState = (now: Date) => Prisma.sql`
  CASE WHEN NOT ${isComplete} THEN ${uploadState(now)}
    WHEN NOT ${isAssigned} THEN 'nobody'
    WHEN NOT ${isDue(now)} THEN 'reserved'
    WHEN ${hasUpdateAhead(now)} THEN 'update_reserved'
    ELSE 'delivered' END`;

/** Players whose groups it has get it at `now`. */
export const isDeliveredFile = (now: Date) => Prisma.sql`(${isComplete} AND ${isAssigned} AND ${isDue(now)})`;

/** Since when a file that is delivered is; null of others. What is not there does not delay a delivery: GREATEST passes over nulls. */
export const deliveredAt = (now: Date) => Prisma.sql`
  CASE WHEN ${isDeliveredFile(now)} THEN greatest(file.deliver_reservation_at, file.completed_at, file.assigned_at) END`;

/** When the delivery or the update that is reserved takes effect; null where none is ahead. */
export const dueAt = (now: Date) => Prisma.sql`
  CASE WHEN NOT ${isComplete} OR NOT ${isAssigned} THEN NULL
    WHEN NOT ${isDue(now)} THEN file.deliver_reservation_at
    WHEN ${hasUpdateAhead(now)} THEN file.update_reservation_at END`;

/**
 * Whether `file` is in a state. Of the files of a tenant few have no complete bytes, so their uploads are looked up; of all others
 * their own row tells.
 */
export function isInState(partnerId: number, state: FileState, now: Date): Prisma.Sql {
  switch (state) {
    case 'draft':
    case 'uploading':
    case 'interrupted':
      return Prisma.sql`(NOT ${isComplete} AND file.id IN (
        SELECT upload.file_id FROM versions upload
        WHERE upload.partner_id = ${partnerId} AND upload.status IN ('uploading', 'verifying')
          AND ${uploadState(now)} = ${state}
      ))`;
    case 'nobody':
      return Prisma.sql`(${isComplete} AND NOT ${isAssigned})`;
    case 'reserved':
      return Prisma.sql`(${isComplete} AND ${isAssigned} AND file.deliver_reservation_at > ${now})`;
    case 'update_reserved':
      return Prisma.sql`(${isDeliveredFile(now)} AND ${hasUpdateAhead(now)})`;
    case 'delivered':
      return Prisma.sql`(${isDeliveredFile(now)} AND NOT coalesce(${hasUpdateAhead(now)}, false))`;
  }
}
