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
  readonly partners: number;
  readonly licences: number;
  readonly inUse: number;
}

/** The partners in numbers, as far as the scope reaches. */
export async function overviewOf(db: TenantDb, now: Date): Promise<Overview> {
  const ms = limits.overviewDays * 24 * 3_600_000;
  const since = new Date(now.getTime() - ms);
  const until = new Date(now.getTime() + ms);
  const ranks = await db.$queryRaw<OfRank[]>`
    SELECT contract_rank AS rank, sum(partners)::integer AS partners, sum(licences)::float AS licences,
      sum(in_use)::float AS "inUse"
    FROM unit_counts GROUP BY contract_rank`;
  const [numbers] = await db.$queryRaw<
    { allocated: number; created: number; ending: number; failed: number }[]
  >`SELECT (SELECT coalesce(sum(allocated_license), 0)::float FROM units) AS allocated,
      (SELECT count(*)::integer FROM partners WHERE created_at >= ${since}) AS created,
      (SELECT count(*)::integer FROM partners
        WHERE license_expired_on > ${now} AND license_expired_on <= ${until}) AS ending,
      (SELECT count(*)::integer FROM bounces WHERE occurred_at >= ${since}) AS failed`;
  const ending = await db.partner.findMany({
    where: { licenseExpiredOn: { gt: now, lte: until } },
    select: { id: true, name: true, licenseExpiredOn: true },
    orderBy: [{ licenseExpiredOn: 'asc' }, { id: 'asc' }],
    take: limits.overviewPartners,
  });
  const sumOf = (count: (of: OfRank) => number) => ranks.reduce((sum, of) => sum + count(of), 0);
  const tenants = new Map(ranks.map((of) => [of.rank, of.partners]));
  return {
    tenantsByRank: {
      free: tenants.get('free') ?? 0,
      trial: tenants.get('trial') ?? 0,
      entry: tenants.get('entry') ?? 0,
      standard: tenants.get('standard') ?? 0,
      enterprise: tenants.get('enterprise') ?? 0,
    },
    licences: {
      allocated: numbers?.allocated ?? 0,
      given: sumOf(({ licences }) => licences),
      inUse: sumOf(({ inUse }) => inUse),
    },
    ending: {
      count: numbers?.ending ?? 0,
      partners: ending.flatMap(({ id, licenseExpiredOn, name }) =>
        licenseExpiredOn === null ? [] : [{ id, name, licenseExpiredOn: formatDateTime(licenseExpiredOn) }],
      ),
    },
    newTenants: numbers?.created ?? 0,
    failedMails: numbers?.failed ?? 0,
  };
}
