import { type deliveryRoutes, limits, type PageReply } from '@portal/contracts';
import { pageReply } from '@portal/database';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { effectiveVersionId } from '../../files/data/file-views.ts';
import { rolloutsOfVersions, type StoredRollout } from '../../rollouts/data/rollout-repository.ts';
import { versionsKept } from './settings-repository.ts';

/** A version as people see it. */
export interface VersionView {
  readonly version: number;
  readonly state: deliveryRoutes.VersionState;
  /** Bytes. */
  readonly fileSize: number;
  readonly sha256: string;
  readonly note: string;
  readonly createdAt: Date;
  readonly createdBy: { id: number; name: string } | null;
  readonly liveFrom: Date;
  readonly liveUntil: Date | null;
  readonly restoredFrom: number | null;
  /** Null of one that everyone gets at once. */
  readonly rollout: StoredRollout | null;
  /** Null once its bytes are removed. */
  readonly objectKey: string | null;
}

type Row = Omit<VersionView, 'createdBy' | 'fileSize' | 'rollout'> & {
  readonly id: number;
  readonly size: bigint;
  readonly openedBy: number | null;
  readonly openedByName: string | null;
};

/**
 * One page of the versions of a file, newest first, as they are at `now`. A reserved one whose time has come is the current one,
 * whether that is written down or not.
 */
export async function listVersionViews(
  db: FileDb,
  { fileId, partnerId }: { readonly fileId: number; readonly partnerId: number },
  { page, perPage }: { readonly page: number; readonly perPage: number },
  now: Date,
): Promise<PageReply & { versions: VersionView[] }> {
  const isDue = Prisma.sql`(file.reserved_version_id IS NOT NULL AND coalesce(file.update_reservation_at <= ${now}, false))`;
  const kept = await versionsKept(db, partnerId);
  // Of a version that a due update pushes out, the time is not written down yet.
  const removesAt = Prisma.sql`coalesce(version.removes_at, CASE WHEN ${isDue} AND version.number <= file.version + 1 - ${kept}
    THEN file.update_reservation_at + ${limits.formerBytesRetention}::double precision * interval '1 millisecond' END)`;
  const versions = Prisma.sql`
    FROM files file JOIN versions version ON version.file_id = file.id
    WHERE file.partner_id = ${partnerId} AND file.id = ${fileId} AND version.partner_id = ${partnerId}
      AND version.status = 'complete' AND (version.number IS NOT NULL OR version.id = file.reserved_version_id)`;
  const [counted] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::integer AS count ${versions}`;
  const rows = await db.$queryRaw<Row[]>`
    SELECT version.id, coalesce(version.number, file.version + 1) AS version,
      CASE WHEN version.id = ${effectiveVersionId(now)} THEN 'current' WHEN version.number IS NULL THEN 'reserved'
        WHEN version.released OR coalesce(${removesAt} <= ${now}, false) THEN 'removed' ELSE 'former' END AS state,
      version.size, version.sha256, version.note, version.completed_at AS "createdAt",
      version.opened_by AS "openedBy", version.opened_by_name AS "openedByName",
      coalesce(version.live_from, file.update_reservation_at) AS "liveFrom",
      coalesce(version.live_until, CASE WHEN version.id = file.current_version_id
        AND ${isDue} THEN file.update_reservation_at END) AS "liveUntil",
      version.restored_from AS "restoredFrom",
      CASE WHEN NOT version.released AND coalesce(${removesAt} > ${now}, true) THEN version.object_key END
        AS "objectKey"
    ${versions}
    ORDER BY version.number DESC NULLS FIRST LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  const rollouts = await rolloutsOfVersions(
    db,
    partnerId,
    rows.map(({ id }) => id),
    now,
  );
  return {
    versions: rows.map(({ id, openedBy, openedByName, size, ...view }) => ({
      ...view,
      fileSize: Number(size),
      rollout: rollouts.get(id) ?? null,
      createdBy: openedBy === null ? null : { id: openedBy, name: openedByName ?? '' },
    })),
    ...pageReply(counted?.count ?? 0, { page, perPage }),
  };
}
