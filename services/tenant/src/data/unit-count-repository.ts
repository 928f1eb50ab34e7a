import type { TenantDb } from './db.ts';

/** Adds up what changes have added to the numbers of units since, so that few rows are to be read. */
export async function addUpUnitCounts(db: TenantDb): Promise<void> {
  await db.$executeRaw`
    WITH several AS (
      SELECT unit_id, contract_rank, license_type FROM unit_counts GROUP BY 1, 2, 3 HAVING count(*) > 1
    ), gone AS (
      DELETE FROM unit_counts c USING several s
      WHERE (c.unit_id, c.contract_rank, c.license_type) = (s.unit_id, s.contract_rank, s.license_type)
      RETURNING c.*
    )
    INSERT INTO unit_counts (unit_id, contract_rank, license_type, partners, licences, in_use)
    SELECT unit_id, contract_rank, license_type, sum(partners), sum(licences), sum(in_use) FROM gone GROUP BY 1, 2, 3
    HAVING (sum(partners), sum(licences), sum(in_use)) <> (0, 0, 0)`;
}
