import type { FileDb } from '../../data/db.ts';

/** The storage that a tenant uses, in bytes. */
export interface StorageUse {
  /** The total: files, open uploads by their declared size, and bytes whose removal is scheduled. */
  readonly used: number;
  /** The part of it that is scheduled for removal: deleted or replaced bytes. */
  readonly leaving: number;
}

/** Complete bytes that no file has any more are there for as long as their removal is due. */
export async function storageUse(db: FileDb, partnerId: number): Promise<StorageUse> {
  const [row] = await db.$queryRaw<{ kept: bigint; leaving: bigint }[]>`
    WITH held AS (
      SELECT v.size, v.status <> 'complete' OR EXISTS (
        SELECT FROM files f
        WHERE f.partner_id = ${partnerId} AND f.id = v.file_id AND NOT f.deleted
          AND v.id IN (f.current_version_id, f.reserved_version_id)
      ) AS kept,
      EXISTS (
        SELECT FROM removals r WHERE r.partner_id = ${partnerId} AND r.key = v.object_key
      ) AS leaving
      FROM versions v
      WHERE v.partner_id = ${partnerId} AND v.status <> 'aborted'
    )
    SELECT coalesce(sum(size) FILTER (WHERE kept), 0)::bigint AS kept,
      coalesce(sum(size) FILTER (WHERE NOT kept AND leaving), 0)::bigint AS leaving
    FROM held`;
  const leaving = Number(row?.leaving ?? 0);
  return { used: Number(row?.kept ?? 0) + leaving, leaving };
}
