import type { FileDb } from '../../data/db.ts';

/** The storage that a tenant uses, in bytes. */
export interface StorageUse {
  /** The total: files with the versions that are kept, open uploads by their declared size, and bytes that are to go. */
  readonly used: number;
  /** The part of it that is to go by itself: deleted bytes, and those of versions that are not kept. */
  readonly leaving: number;
}

/** Bytes that several versions hold count once. Those that no version holds are there for as long as their removal is due. */
export async function storageUse(db: FileDb, partnerId: number): Promise<StorageUse> {
  const [row] = await db.$queryRaw<{ kept: bigint; leaving: bigint }[]>`
    WITH held AS (
      SELECT version.object_key, version.size,
        version.status <> 'complete' OR (version.file_id IS NOT NULL AND NOT version.released AND version.removes_at IS NULL)
          AS kept,
        version.status = 'complete' AND version.file_id IS NOT NULL AND NOT version.released AS there
      FROM versions version
      WHERE version.partner_id = ${partnerId} AND version.status <> 'aborted'
    ), bytes AS (
      SELECT object_key, max(size) AS size, bool_or(kept) AS kept, bool_or(there) AS there
      FROM held GROUP BY object_key
    )
    SELECT coalesce(sum(size) FILTER (WHERE kept), 0)::bigint AS kept,
      coalesce(sum(size) FILTER (WHERE NOT kept AND (there OR EXISTS (
        SELECT FROM removals removal WHERE removal.partner_id = ${partnerId} AND removal.key = bytes.object_key
      ))), 0)::bigint AS leaving
    FROM bytes`;
  const leaving = Number(row?.leaving ?? 0);
  return { used: Number(row?.kept ?? 0) + leaving, leaving };
}
