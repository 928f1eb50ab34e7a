import { everyone } from '../../assignments/domain/everyone.ts';
import type { Change } from '../../files/data/changes.ts';

/**
 * Counts the devices of the tenant that a file reaches, when a version takes its place or groups are added: players are told by it how
 * to spread their downloads. It stays as it was then, so a player is told the same again. `from` is when they get it.
 */
export async function countReached(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
  from: Date,
): Promise<void> {
  await db.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT coalesce(array_agg(group_id), '{}') AS group_ids FROM assignments
      WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND removed_in IS NULL
    )
    INSERT INTO reach_counts AS known (partner_id, file_id, devices, at)
    SELECT ${partnerId}, ${fileId}, coalesce(sum(audience.devices), 0), ${from}
    FROM given LEFT JOIN audiences audience ON audience.partner_id = ${partnerId} AND audience.devices > 0
      AND (${everyone} = ANY (given.group_ids) OR audience.group_ids && given.group_ids)
    ON CONFLICT (partner_id, file_id) DO UPDATE SET devices = excluded.devices, at = excluded.at`;
}
