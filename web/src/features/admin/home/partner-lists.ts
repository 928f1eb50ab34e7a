import { type ContractRank, formatDateTime, limits } from '@portal/contracts';
import { partnerListPath } from '../../../components/partner-links.ts';

const span = limits.overviewDays * 24 * 3_600_000;

const list = (filter: Readonly<Record<string, string>>) =>
  `${partnerListPath}?${new URLSearchParams(filter).toString()}`;

/** The lists of what the home counts, at the time when it was counted. */
export const partnerLists = (at: number) => ({
  all: partnerListPath,
  ofRank: (contractRank: ContractRank) => list({ contractRank }),
  ending: list({
    licenseExpiredOnStart: formatDateTime(new Date(at)),
    licenseExpiredOnEnd: formatDateTime(new Date(at + span)),
    orderKey: 'licenseExpiredOn',
    order: 'asc',
  }),
  newTenants: list({ createdAtStart: formatDateTime(new Date(at - span)), orderKey: 'createdAt' }),
  failedMails: list({ bounceInfoStart: formatDateTime(new Date(at - span)), orderKey: 'bounceCount' }),
});
