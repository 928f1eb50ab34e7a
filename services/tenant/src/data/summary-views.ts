import { formatNullableDateTime, limits, plans, type RouteReply, type tenantRoutes } from '@portal/contracts';
import { lastDays } from '../domain/usage-days.ts';
import type { TenantDb } from './db.ts';

type Summary = RouteReply<typeof tenantRoutes.getSummary>;

/** What a tenant has by contract and what it uses at this moment; null when there is no such tenant. */
export async function summaryOf(db: TenantDb, partnerId: number, now: Date): Promise<Summary | null> {
  const partner = await db.partner.findUnique({ where: { id: partnerId } });
  if (!partner) return null;
  const use = await db.licenceUse.findUnique({
    where: { partnerId_kind: { partnerId, kind: partner.licenseType } },
  });
  const files = await storageOf(db, partnerId);
  const daily = await dailyUsage(db, partnerId, lastDays(now, limits.usageDays));
  return {
    partnerName: partner.name,
    partnerCode: partner.partnerCode,
    totalFileSize: files.bytes,
    licenseCount: partner.licenseCount,
    licenseRemaining: Math.max(0, partner.licenseCount - (use?.count ?? 0)),
    apiCallNum: daily.reduce((sum, { apiCallNum }) => sum + apiCallNum, 0),
    dataTransfer: transferOf(daily),
    pushNotificationNum: 0,
    operationLogDownloadFlag: partner.operationLogDownloadFlag,
    uapFileLimit: partner.uapFileLimit,
    uapFileNum: files.uaps,
    licenseType: partner.licenseType,
    contractRank: partner.contractRank,
    licenseExpiredOn: formatNullableDateTime(partner.licenseExpiredOn),
    allowedSsoApiFlag: plans[partner.contractRank].sso,
    docdbContractStatus: 0,
    docdbUsageBytes: 0,
    docdbStartDate: null,
    docdbExpireDate: null,
    docdbApiKey: null,
    daily,
  };
}

async function storageOf(db: TenantDb, partnerId: number): Promise<{ bytes: number; uaps: number }> {
  const [row] = await db.$queryRaw<{ bytes: bigint; uaps: number }[]>`
    SELECT coalesce(sum(size + coalesce(reserved_size, 0)), 0)::bigint AS bytes,
      (count(*) FILTER (WHERE is_uap))::integer AS uaps
    FROM stored_files WHERE partner_id = ${partnerId}`;
  return { bytes: Number(row?.bytes ?? 0), uaps: row?.uaps ?? 0 };
}

/** A day of which nothing is known was without any. */
async function dailyUsage(
  db: TenantDb,
  partnerId: number,
  days: readonly string[],
): Promise<Summary['daily']> {
  const rows = await db.dailyUsage.findMany({
    where: { partnerId, day: { in: days.map((day) => new Date(day)) } },
  });
  const known = new Map(rows.map((row) => [row.day.toISOString().slice(0, 10), row]));
  const bytes = (count: bigint | null) => (count === null ? null : Number(count));
  return days.map((date) => {
    const row = known.get(date);
    if (!row) return { date, apiCallNum: 0, uploadBytes: 0, downloadBytes: 0 };
    return {
      date,
      apiCallNum: Number(row.apiCalls),
      uploadBytes: bytes(row.uploadedBytes),
      downloadBytes: bytes(row.downloadedBytes),
    };
  });
}

/** Null when bytes of files passed the product on none of the days on which there was anything. */
function transferOf(daily: Summary['daily']): number | null {
  const active = daily.filter(({ apiCallNum }) => apiCallNum > 0);
  if (active.length > 0 && active.every(({ downloadBytes }) => downloadBytes === null)) return null;
  return daily.reduce(
    (sum, { downloadBytes, uploadBytes }) => sum + (downloadBytes ?? 0) + (uploadBytes ?? 0),
    0,
  );
}
