import type { PushDb } from '../../data/db.ts';

/** Adds up what changes have added to the counts of audiences since, so that few rows are to be read. */
export async function addUpAudienceCounts(db: PushDb): Promise<void> {
  await db.$executeRaw`
    WITH several AS (
      SELECT partner_id, group_id FROM audience_counts GROUP BY 1, 2 HAVING count(*) > 1
    ), gone AS (
      DELETE FROM audience_counts c USING several s
      WHERE (c.partner_id, c.group_id) = (s.partner_id, s.group_id)
      RETURNING c.*
    )
    INSERT INTO audience_counts (partner_id, group_id, users, people, devices)
    SELECT partner_id, group_id, sum(users), sum(people), sum(devices) FROM gone GROUP BY 1, 2
    HAVING (sum(users), sum(people), sum(devices)) <> (0, 0, 0)`;
}
