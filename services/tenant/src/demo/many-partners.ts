import { type ContractRank, plans } from '@portal/contracts';
import { monthsAfter, type NewPartner } from '../domain/partner.ts';

/** Of each rank, so that lists, filters and numbers have something to show. */
const ranks: Readonly<Record<ContractRank, number>> = {
  free: 6,
  trial: 8,
  entry: 10,
  standard: 9,
  enterprise: 7,
};

const names = [
  '青空製作所',
  'Northwind Studio',
  '港町デザイン',
  'Blue Harbor Games',
  'みどり学園',
  'Cedar Museum',
  '星野工業',
  'Lantern Tours',
  'さくら百貨店',
  'Summit Training',
  '川辺建設',
  'Orchard Media',
];

const zones = ['Asia/Tokyo', 'Asia/Tokyo', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York'];

/** Months from now, at which the licences that have an end do: over, soon, and in the far future. */
const ends = [-2, 1, 3, 6, 12, 24];
const day = 24 * 3_600_000;
/** Some end within the month, in so many days. */
const soon = [3, 10, 21];

/** The partners of the third unit of the demo, always the same. */
export function manyPartners(unitId: number, now: Date): (NewPartner & { readonly partnerCode: string })[] {
  const all = Object.entries(ranks).flatMap(([rank, count]) => Array<string>(count).fill(rank));
  const isRank = (rank: string): rank is ContractRank => rank in plans;
  return all.filter(isRank).map((contractRank, index) => {
    const { licenses, licensesAreFixed, licenseTypes } = plans[contractRank];
    const round = Math.floor(index / names.length) + 1;
    return {
      name: `${names[index % names.length]} ${round}`,
      unitId,
      partnerCode: String(5001 + index),
      contractRank,
      licenseType: licenseTypes[index % licenseTypes.length] ?? 'user',
      licenseCount: licensesAreFixed ? licenses : 10 * (1 + (index % 8)),
      licenseExpiredOn: endOf(index, contractRank, now),
      email: `contact-${5001 + index}@example.com`,
      lang: index % 3 === 0 ? 'en' : 'ja',
      timeZone: zones[index % zones.length] ?? 'Asia/Tokyo',
    };
  });
}

/** Every fifth that may has no end. */
function endOf(index: number, rank: ContractRank, now: Date): Date | null {
  if (plans[rank].termMonths === null && index % 5 === 0) return null;
  const days = soon[index % 13];
  if (days !== undefined) return new Date(Math.floor(now.getTime() / 1000) * 1000 + days * day);
  return monthsAfter(now, ends[index % ends.length] ?? 12);
}
