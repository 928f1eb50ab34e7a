import type { RawQueries } from '@portal/database';
import type { FileDb } from '../../data/db.ts';
import { lockDelivery } from '../../receipts/data/audience-repository.ts';

/** Halted versions of a file that devices of a tenant may keep, the oldest first; none: nobody asks about them any more. */
interface Keepable {
  readonly partnerId: number;
  readonly fileId: number;
  readonly versions: readonly number[];
}

const nothingPassed = { passed: 0, passedAt: null, ready: false };

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
  // In the order of the index of what is installed in the tenant: in that of devices all that is left would be read each time.
  const next = await db.$queryRaw<{ at: Date; id: number; userId: number }[]>`
    SELECT next.at, device.id, device.user_id AS "userId"
    FROM (
      SELECT told.at, told.device_id FROM unnest(${versions}::integer[]) halted (version)
      CROSS JOIN LATERAL (
        SELECT at, device_id FROM receipts
        WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND version = halted.version AND status = 'installed'
          AND audience_id IS NOT NULL
          AND (at, device_id) > (coalesce(${known.passedAt}::timestamptz, '-infinity'), ${known.passed}::integer)
        ORDER BY at, device_id LIMIT ${most}
      ) told
      ORDER BY 1, 2 LIMIT ${most}
    ) next JOIN devices device ON device.id = next.device_id ORDER BY 1, 2`;
  const userIds = [...new Set(next.map(({ userId }) => userId))];
  await db.$executeRaw`
    SELECT keep_keepers(${partnerId}::integer, ${fileId}::integer, ${versions}::integer[], ${userIds}::integer[])`;
  const ready = next.length < most;
  const { at: passedAt, id: passed } = next.at(-1) ?? { at: known.passedAt, id: known.passed };
  await db.keeping.update({ where: key, data: { passed, passedAt, ready } });
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
    await db.keeping.update({ where: key, data: { versions: [], ...nothingPassed } });
  }
  // By the order of the index: a join with those to forget is quadratic where the planner knows nothing of the table yet.
  const forgotten = await db.$executeRaw`
    DELETE FROM keepers WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND user_id <= coalesce((
      SELECT user_id FROM keepers WHERE partner_id = ${partnerId} AND file_id = ${fileId}
      ORDER BY user_id OFFSET ${most - 1} LIMIT 1), 2147483647)`;
  if (forgotten === most) return true;
  if (versions.length === 0) await db.keeping.delete({ where: key });
  else await db.keeping.update({ where: key, data: { versions: [...versions], ...nothingPassed } });
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
