import type { RawQueries } from '@portal/database';
import type { FileDb } from '../../data/db.ts';
import { lockDelivery } from '../../receipts/data/audience-repository.ts';

/** Halted versions of a file that devices of a tenant may keep, the oldest first; none: nobody asks about them any more. */
interface Keepable {
  readonly partnerId: number;
  readonly fileId: number;
  readonly versions: readonly number[];
}

/** Of whom it is not known yet who keeps halted versions, or is known and not needed any more. */
export async function findUnready(db: FileDb): Promise<Keepable[]> {
  return db.$queryRaw`
    WITH halted AS (
      SELECT rollouts.file_id, array_agg(rollouts.number ORDER BY rollouts.number) AS versions
      FROM rollouts JOIN files file ON file.id = rollouts.file_id AND NOT file.deleted
      WHERE rollouts.active AND rollouts.state IN ('halted', 'cancelled') AND rollouts.number IS NOT NULL GROUP BY 1
    ), wanted AS (
      SELECT told.partner_id, told.file_id, halted.versions
      FROM halted JOIN delivery_counts told ON told.file_id = halted.file_id AND told.version = ANY (halted.versions)
      WHERE told.status = 'installed' GROUP BY 1, 2, 3
    )
    SELECT coalesce(wanted.partner_id, keeping.partner_id) AS "partnerId", coalesce(wanted.file_id, keeping.file_id) AS "fileId",
      coalesce(wanted.versions, '{}') AS versions
    FROM wanted FULL JOIN keepings keeping ON keeping.partner_id = wanted.partner_id AND keeping.file_id = wanted.file_id
    WHERE keeping.ready IS NOT TRUE OR keeping.versions <> coalesce(wanted.versions, '{}')
    ORDER BY 1, 2`;
}

/**
 * Finds the next people who keep these versions, of at most `most` devices; before that it forgets who kept others. Answers whether there
 * are more. Once people have been found, triggers follow what becomes of them, and of all others of the tenant.
 */
export async function keepNext(db: FileDb, wanted: Keepable, most: number): Promise<boolean> {
  const { fileId, partnerId } = wanted;
  const versions = [...wanted.versions];
  await lockDelivery(db, [partnerId]);
  const key = { partnerId_fileId: { partnerId, fileId } };
  const known = await db.keeping.findUnique({ where: key });
  // What nobody asks about any more is forgotten to the end, in as many calls as that takes.
  if (versions.length === 0 || known?.versions.join() !== versions.join())
    return forgetNext(db, wanted, most, known?.versions);
  if (known.ready) return false;
  // All that have it, by the index of what is installed: in the order of devices it would be looked for in what was told of all files.
  const next = await db.$queryRaw<{ id: number; userId: number }[]>`
    WITH installed AS MATERIALIZED (
      SELECT device_id FROM receipts WHERE partner_id = ${partnerId} AND file_id = ${fileId}
        AND version = ANY (${versions}::integer[]) AND status = 'installed' AND audience_id IS NOT NULL AND device_id > ${known.passed}
    )
    SELECT device.id, device.user_id AS "userId"
    FROM (SELECT DISTINCT device_id FROM installed ORDER BY device_id LIMIT ${most}) next
    JOIN devices device ON device.id = next.device_id ORDER BY device.id`;
  const userIds = [...new Set(next.map(({ userId }) => userId))];
  await db.$executeRaw`
    SELECT keep_keepers(${partnerId}::integer, ${fileId}::integer, ${versions}::integer[], ${userIds}::integer[])`;
  const ready = next.length < most;
  await db.keeping.update({ where: key, data: { passed: next.at(-1)?.id ?? known.passed, ready } });
  return !ready;
}

async function forgetNext(
  db: FileDb,
  { fileId, partnerId, versions }: Keepable,
  most: number,
  known: readonly number[] | undefined,
): Promise<boolean> {
  const key = { partnerId_fileId: { partnerId, fileId } };
  if (known === undefined) {
    if (versions.length > 0)
      await db.keeping.create({ data: { partnerId, fileId, versions: [...versions] } });
    return versions.length > 0;
  }
  if (known.length > 0) {
    await db.keeping.update({ where: key, data: { versions: [], passed: 0, ready: false } });
  }
  // By the order of the index: a join with those to forget is quadratic where the planner knows nothing of the table yet.
  const forgotten = await db.$executeRaw`
    DELETE FROM keepers WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND user_id <= coalesce((
      SELECT user_id FROM keepers WHERE partner_id = ${partnerId} AND file_id = ${fileId}
      ORDER BY user_id OFFSET ${most - 1} LIMIT 1), 2147483647)`;
  if (forgotten === most) return true;
  if (versions.length === 0) await db.keeping.delete({ where: key });
  else await db.keeping.update({ where: key, data: { versions: [...versions], passed: 0, ready: false } });
  return versions.length > 0;
}

/** Of which tenants it is known who keeps these versions of a file, with those that it is known of, in the order of their bits. */
export async function findReady(
  db: RawQueries,
  partnerIds: readonly number[],
  fileId: number,
  halted: readonly number[],
): Promise<Keepable[]> {
  return db.$queryRaw<Keepable[]>`
    SELECT partner_id AS "partnerId", file_id AS "fileId", versions FROM keepings
    WHERE partner_id = ANY (${[...partnerIds]}::integer[]) AND file_id = ${fileId} AND ready
      AND versions @> ${[...halted]}::integer[]`;
}
