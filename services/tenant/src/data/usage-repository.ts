import type { UsageEntry } from '@portal/contracts/internal';
import type { TenantDb } from './db.ts';
import { Prisma } from './generated/client.ts';

/** False for a batch that was added already. */
export async function beginBatch(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.usageBatch.createMany({ data: [{ id, addedAt: now }], skipDuplicates: true });
  return count > 0;
}

/**
 * Adds to the days, and to the quarters of an hour of which the days of any time zone are made. Bytes stay unknown where they
 * never passed the product.
 */
export async function addUsage(db: TenantDb, usage: readonly UsageEntry[]): Promise<void> {
  // In one order, so that two instances of the gateway never wait for each other.
  await db.$executeRaw`
    WITH given AS (
      SELECT "partnerId" AS partner_id, day,
        (day + coalesce(quarter, ${noon}) * interval '15 minutes') AT TIME ZONE 'UTC' AS started_at,
        "apiCalls" AS api_calls, "uploadedBytes" AS uploaded_bytes, "downloadedBytes" AS downloaded_bytes
      FROM jsonb_to_recordset(${JSON.stringify(usage)}::jsonb) AS one (
        "partnerId" integer, day date, quarter integer, "apiCalls" bigint, "uploadedBytes" bigint, "downloadedBytes" bigint)
    ), days AS (
      INSERT INTO daily_usage AS known (partner_id, day, api_calls, uploaded_bytes, downloaded_bytes)
      SELECT partner_id, day, sum(api_calls), sum(uploaded_bytes), sum(downloaded_bytes)
      FROM given GROUP BY partner_id, day ORDER BY partner_id, day
      ON CONFLICT (partner_id, day) DO UPDATE SET ${added}
    )
    INSERT INTO quarter_usage AS known (partner_id, started_at, api_calls, uploaded_bytes, downloaded_bytes)
    SELECT partner_id, started_at, sum(api_calls), sum(uploaded_bytes), sum(downloaded_bytes)
    FROM given GROUP BY partner_id, started_at ORDER BY partner_id, started_at
    ON CONFLICT (partner_id, started_at) DO UPDATE SET ${added}`;
}

/** Where the usage of a gateway counts that tells of no quarter: on the same day nearly everywhere. */
const noon = 48;

const added = Prisma.sql`
  api_calls = known.api_calls + excluded.api_calls,
  uploaded_bytes = coalesce(known.uploaded_bytes + excluded.uploaded_bytes, known.uploaded_bytes, excluded.uploaded_bytes),
  downloaded_bytes = coalesce(known.downloaded_bytes + excluded.downloaded_bytes, known.downloaded_bytes, excluded.downloaded_bytes)`;

/** Forgets days before `day`, quarters before `quarter`, and batches that were added before `addedAt`. */
export async function forgetUsage(
  db: TenantDb,
  before: { day: Date; quarter: Date; addedAt: Date },
): Promise<void> {
  await db.dailyUsage.deleteMany({ where: { day: { lt: before.day } } });
  await db.quarterUsage.deleteMany({ where: { startedAt: { lt: before.quarter } } });
  await db.usageBatch.deleteMany({ where: { addedAt: { lt: before.addedAt } } });
}
