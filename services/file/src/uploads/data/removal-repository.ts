import type { FileDb } from '../../data/db.ts';
import type { Removal } from '../../data/generated/client.ts';

export type { Removal };

/**
 * Of all tenants after `afterPartner`, in their order: at most `limit` removals that are due, of each tenant its oldest ones up to its
 * `share`. It goes from tenant to tenant by the index, however many removals one of them has, and where nothing is due it does
 * not begin.
 */
export async function findDueRemovals(
  db: FileDb,
  now: Date,
  { afterPartner, limit, share }: { afterPartner: number; limit: number; share: number },
): Promise<Removal[]> {
  return db.$queryRaw<Removal[]>`
    WITH RECURSIVE tenant AS (
      (SELECT partner_id FROM removals WHERE partner_id > ${afterPartner}
         AND EXISTS (SELECT FROM removals WHERE due_at <= ${now}) ORDER BY partner_id LIMIT 1)
      UNION ALL
      SELECT following.partner_id
      FROM tenant CROSS JOIN LATERAL (
        SELECT partner_id FROM removals WHERE partner_id > tenant.partner_id ORDER BY partner_id LIMIT 1) following
    )
    SELECT due.id, due.partner_id AS "partnerId", due.key, due.storage_upload_id AS "storageUploadId", due.size,
      due.part_size AS "partSize", due.due_at AS "dueAt"
    FROM tenant CROSS JOIN LATERAL (
      SELECT * FROM removals WHERE partner_id = tenant.partner_id AND due_at <= ${now} ORDER BY due_at LIMIT ${share}) due
    ORDER BY due.partner_id, due.due_at LIMIT ${limit}`;
}

/** They are gone. */
export async function dropRemovals(db: FileDb, removals: readonly Removal[]): Promise<void> {
  await db.removal.deleteMany({ where: { id: { in: removals.map(({ id }) => id) } } });
}

/** The store failed; the removals are retried at `dueAt`. */
export async function postponeRemovals(db: FileDb, removals: readonly Removal[], dueAt: Date): Promise<void> {
  await db.removal.updateMany({ where: { id: { in: removals.map(({ id }) => id) } }, data: { dueAt } });
}
