import type { UsageEntry } from '@portal/contracts/internal';
import type { TenantDb } from './db.ts';

/** False for a batch that was added already. */
export async function beginBatch(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.usageBatch.createMany({ data: [{ id, addedAt: now }], skipDuplicates: true });
  return count > 0;
}

/** Adds to the days. Bytes stay unknown where they never passed the product. */
export async function addUsage(db: TenantDb, usage: readonly UsageEntry[]): Promise<void> {
  // In one order, so that two instances of the gateway never wait for each other.
  await db.$executeRaw`
    INSERT INTO daily_usage AS known (partner_id, day, api_calls, uploaded_bytes, downloaded_bytes)
    SELECT "partnerId", day, sum("apiCalls"), sum("uploadedBytes"), sum("downloadedBytes")
    FROM jsonb_to_recordset(${JSON.stringify(usage)}::jsonb) AS one (
      "partnerId" integer, day date, "apiCalls" bigint, "uploadedBytes" bigint, "downloadedBytes" bigint)
    GROUP BY "partnerId", day ORDER BY "partnerId", day
    ON CONFLICT (partner_id, day) DO UPDATE SET
      api_calls = known.api_calls + excluded.api_calls,
      uploaded_bytes = coalesce(known.uploaded_bytes + excluded.uploaded_bytes, known.uploaded_bytes, excluded.uploaded_bytes),
      downloaded_bytes = coalesce(known.downloaded_bytes + excluded.downloaded_bytes, known.downloaded_bytes, excluded.downloaded_bytes)`;
}

/** Forgets days before `day`, and batches that were added before `addedAt`. */
export async function forgetUsage(db: TenantDb, before: { day: Date; addedAt: Date }): Promise<void> {
  await db.dailyUsage.deleteMany({ where: { day: { lt: before.day } } });
  await db.usageBatch.deleteMany({ where: { addedAt: { lt: before.addedAt } } });
}
