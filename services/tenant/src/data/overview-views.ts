import {
  type ContractRank,
  formatDateTime,
  limits,
  type RouteReply,
  type tenantRoutes,
} from '@portal/contracts';
import type { TenantDb } from './db.ts';

type Overview = RouteReply<typeof tenantRoutes.getOverview>;

interface OfRank {
  readonly rank: ContractRank;
  readonly tenants: number;
  readonly given: number;
  readonly created: number;
  readonly ending: number;
}

/** The partners in numbers, as far as the scope reaches. */
export async function overviewOf(db: TenantDb, now: Date): Promise<Overview> {
  const ms = limits.overviewDays * 24 * 3_600_000;
  const since = new Date(now.getTime() - ms);
  const until = new Date(now.getTime() + ms);
  const ranks = await db.$queryRaw<OfRank[]>`
    SELECT contract_rank AS rank, count(*)::integer AS tenants, sum(license_count)::integer AS given,
      (count(*) FILTER (WHERE created_at >= ${since}))::integer AS created,
      (count(*) FILTER (WHERE license_expired_on > ${now} AND license_expired_on <= ${until}))::integer AS ending
    FROM partners GROUP BY contract_rank`;
  const [units] = await db.$queryRaw<{ allocated: number }[]>`
    SELECT coalesce(sum(allocated_license), 0)::float AS allocated FROM units`;
  const [use] = await db.$queryRaw<{ used: number }[]>`
    SELECT coalesce(sum(u.count), 0)::float AS used FROM licence_use u
    JOIN partners p ON p.partner_id = u.partner_id
      AND u.kind = CASE p.license_type WHEN 'user' THEN 'user'::licence_holder_kind ELSE 'device' END`;
  const [bounces] = await db.$queryRaw<{ failed: number }[]>`
    SELECT count(*)::integer AS failed FROM bounces WHERE occurred_at >= ${since}`;
  const ending = await db.partner.findMany({
    where: { licenseExpiredOn: { gt: now, lte: until } },
    select: { id: true, name: true, licenseExpiredOn: true },
    orderBy: [{ licenseExpiredOn: 'asc' }, { id: 'asc' }],
    take: limits.overviewPartners,
  });
  const sumOf = (count: (of: OfRank) => number) => ranks.reduce((sum, of) => sum + count(of), 0);
  const tenants = new Map(ranks.map((of) => [of.rank, of.tenants]));
  return {
    tenantsByRank: {
      free: tenants.get('free') ?? 0,
      trial: tenants.get('trial') ?? 0,
      entry: tenants.get('entry') ?? 0,
      standard: tenants.get('standard') ?? 0,
      enterprise: tenants.get('enterprise') ?? 0,
    },
    licences: {
      allocated: units?.allocated ?? 0,
      given: sumOf(({ given }) => given),
      inUse: use?.used ?? 0,
    },
    ending: {
      count: sumOf((of) => of.ending),
      partners: ending.flatMap(({ id, licenseExpiredOn, name }) =>
        licenseExpiredOn === null ? [] : [{ id, name, licenseExpiredOn: formatDateTime(licenseExpiredOn) }],
      ),
    },
    newTenants: sumOf(({ created }) => created),
    failedMails: bounces?.failed ?? 0,
  };
}
