import { limits } from '@portal/contracts';
import { lastDays } from '../domain/usage-days.ts';
import type { TenantDb } from './db.ts';

/** Adds notifications that were delivered to the days of their tenants. */
export async function addDeliveredPushes(
  db: TenantDb,
  pushes: readonly { readonly partnerId: number; readonly at: Date }[],
): Promise<void> {
  const days = pushes.map(({ at, partnerId }) => ({ partnerId, day: at.toISOString().slice(0, 10) }));
  await db.$executeRaw`
    INSERT INTO daily_pushes (partner_id, day, delivered)
    SELECT "partnerId", day, count(*)
    FROM jsonb_to_recordset(${JSON.stringify(days)}::jsonb) AS push ("partnerId" integer, day date)
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (partner_id, day) DO UPDATE SET delivered = daily_pushes.delivered + EXCLUDED.delivered`;
}

/** Notifications of a tenant that were delivered in the last 30 days, today among them. */
export async function deliveredPushes(db: TenantDb, partnerId: number, now: Date): Promise<number> {
  const [first = ''] = lastDays(now, limits.usageDays, 'UTC');
  const { _sum: sum } = await db.dailyPushes.aggregate({
    where: { partnerId, day: { gte: new Date(first) } },
    _sum: { delivered: true },
  });
  return sum.delivered ?? 0;
}

export async function forgetDailyPushes(db: TenantDb, before: Date): Promise<void> {
  await db.dailyPushes.deleteMany({ where: { day: { lt: before } } });
}
