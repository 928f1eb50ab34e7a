import { formatNullableDateTime, limits, plans, type RouteReply, type tenantRoutes } from '@portal/contracts';
import { knownTimeZone } from '@portal/csv-export';
import type { KeyCipher } from '@portal/service-kit';
import { lastDays } from '../domain/usage-days.ts';
import type { TenantDb } from './db.ts';
import { databaseSummary } from './document-database-repository.ts';
import { licencesInUse } from './licence-use-repository.ts';
import { deliveredPushes } from './push-repository.ts';

type Summary = RouteReply<typeof tenantRoutes.getSummary>;

/**
 * What a tenant has by contract and what it uses at this moment, with the key of its document database where `keyCipher` is given;
 * null when there is no such tenant.
 *
 * @throws AppError `E40002` on `tz` for a time zone that the database does not know
 */
export async function summaryOf(
  db: TenantDb,
  partnerId: number,
  { keyCipher, now, timeZone }: { now: Date; timeZone: string; keyCipher: KeyCipher | undefined },
): Promise<Summary | null> {
  const zone = await knownTimeZone(db, timeZone);
  const partner = await db.partner.findUnique({ where: { id: partnerId } });
  if (!partner) return null;
  const used = await licencesInUse(db, partnerId, partner.licenseType);
  const files = await storageOf(db, partnerId);
  const daily = await dailyUsage(db, partnerId, { days: lastDays(now, limits.usageDays, zone), zone });
  return {
    partnerName: partner.name,
    partnerCode: partner.partnerCode,
    totalFileSize: files.bytes,
    licenseCount: partner.licenseCount,
    licenseRemaining: Math.max(0, partner.licenseCount - used),
    apiCallNum: daily.reduce((sum, { apiCallNum }) => sum + apiCallNum, 0),
    dataTransfer: transferOf(daily),
    pushNotificationNum: await deliveredPushes(db, partnerId, now),
    filePublicFlag: partner.filePublicFlag,
    operationLogDownloadFlag: partner.operationLogDownloadFlag,
    uapFileLimit: partner.uapFileLimit,
    uapFileNum: files.uaps,
    licenseType: partner.licenseType,
    contractRank: partner.contractRank,
    licenseExpiredOn: formatNullableDateTime(partner.licenseExpiredOn),
    allowedSsoApiFlag: plans[partner.contractRank].apis.includes('sso'),
    ...(await databaseSummary(db, partnerId, keyCipher)),
    daily,
  };
}

async function storageOf(db: TenantDb, partnerId: number): Promise<{ bytes: number; uaps: number }> {
  const [row] = await db.$queryRaw<{ bytes: bigint; uaps: number }[]>`
    SELECT coalesce(sum(size + coalesce(reserved_size, 0)), 0)::bigint AS bytes,
      (count(*) FILTER (WHERE is_uap AND version > 0))::integer AS uaps
    FROM stored_files WHERE partner_id = ${partnerId}`;
  return { bytes: Number(row?.bytes ?? 0), uaps: row?.uaps ?? 0 };
}

interface UsageOfDay {
  date: string;
  apiCalls: bigint;
  uploadedBytes: bigint | null;
  downloadedBytes: bigint | null;
}

/** A day of which nothing is known was without any. */
async function dailyUsage(
  db: TenantDb,
  partnerId: number,
  { days, zone }: { days: readonly string[]; zone: string },
): Promise<Summary['daily']> {
  const rows = await db.$queryRaw<UsageOfDay[]>`
    SELECT to_char(started_at AT TIME ZONE ${zone}, 'YYYY-MM-DD') AS date, sum(api_calls)::bigint AS "apiCalls",
      sum(uploaded_bytes)::bigint AS "uploadedBytes", sum(downloaded_bytes)::bigint AS "downloadedBytes"
    FROM quarter_usage
    WHERE partner_id = ${partnerId} AND started_at >= ${days.at(0)}::timestamp AT TIME ZONE ${zone} GROUP BY 1`;
  const known = new Map(rows.map((row) => [row.date, row]));
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
