import { limits } from '@portal/contracts';
import { lastDays } from '../domain/usage-days.ts';
import type { TenantDb } from './db.ts';
import type { BounceKind } from './generated/client.ts';

export interface NewBounce {
  readonly partnerId: number;
  readonly email: string;
  readonly kind: BounceKind;
  readonly reason: string;
  readonly occurredAt: Date;
}

/** Adds mails that were sent to the days of their tenants. */
export async function addSentMails(
  db: TenantDb,
  mails: readonly { readonly partnerId: number; readonly at: Date }[],
): Promise<void> {
  const days = mails.map(({ at, partnerId }) => ({ partnerId, day: at.toISOString().slice(0, 10) }));
  if (days.length === 0) return;
  await db.$executeRaw`
    INSERT INTO daily_mails (partner_id, day, sent)
    SELECT "partnerId", day, count(*)
    FROM jsonb_to_recordset(${JSON.stringify(days)}::jsonb) AS mail ("partnerId" integer, day date)
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (partner_id, day) DO UPDATE SET sent = daily_mails.sent + EXCLUDED.sent`;
}

/** The first of the days whose mails are counted, as `YYYY-MM-DD` in UTC. */
export const firstDayOfMails = (now: Date): string => lastDays(now, limits.usageDays, 'UTC')[0] ?? '';

/** Mails that were sent to people of these tenants in the last 30 days, today among them; a tenant without any is not in it. */
export async function mailCounts(
  db: TenantDb,
  partnerIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, number>> {
  const counts = await db.dailyMails.groupBy({
    by: ['partnerId'],
    where: { partnerId: { in: [...partnerIds] }, day: { gte: new Date(firstDayOfMails(now)) } },
    _sum: { sent: true },
  });
  return new Map(counts.map(({ partnerId, _sum }) => [partnerId, _sum.sent ?? 0]));
}

/** Keeps bounces, and counts them with their tenants. */
export async function addBounces(db: TenantDb, bounces: readonly NewBounce[]): Promise<void> {
  await db.bounce.createMany({ data: [...bounces] });
  await addToCounts(db, countedByPartner(bounces.map(({ partnerId }) => partnerId)), 1);
}

/** Forgets some of what was before: how many bounces are gone. */
export async function forgetBounces(
  db: TenantDb,
  { before, most }: { before: Date; most: number },
): Promise<number> {
  const gone = await db.$queryRaw<{ partnerId: number }[]>`
    DELETE FROM bounces WHERE id IN (SELECT id FROM bounces WHERE occurred_at < ${before} ORDER BY occurred_at LIMIT ${most})
    RETURNING partner_id AS "partnerId"`;
  await addToCounts(db, countedByPartner(gone.map(({ partnerId }) => partnerId)), -1);
  return gone.length;
}

export async function forgetDailyMails(db: TenantDb, before: Date): Promise<void> {
  await db.dailyMails.deleteMany({ where: { day: { lt: before } } });
}

const countedByPartner = (ids: readonly number[]) =>
  [...Map.groupBy(ids, (id) => id)].map(([partnerId, of]) => ({ partnerId, count: of.length }));

/** In one order everywhere: the rows stay locked to the end. */
async function addToCounts(
  db: TenantDb,
  counts: readonly { readonly partnerId: number; readonly count: number }[],
  sign: 1 | -1,
): Promise<void> {
  for (const { count, partnerId } of counts.toSorted((a, b) => a.partnerId - b.partnerId)) {
    await db.$executeRaw`
      UPDATE partners SET bounce_count = bounce_count + ${sign * count} WHERE partner_id = ${partnerId}`;
  }
}
