import type { adminHome as ja } from '../ja/admin-home.ts';
import type { Translation } from '../translation.ts';

export const adminHome: Translation<typeof ja> = {
  createUnit: 'Create unit',
  createPartner: 'Create company',
  now: 'Companies now',
  nowLead: 'Each figure opens the list of its companies.',
  figures: {
    total: 'All companies',
    ending: 'Contracts that end within 30 days',
    newTenants: 'New in the last 30 days',
    failedMails: 'Undelivered emails of the last 30 days',
  },
  ranks: 'Companies by plan',
  ranksCount_one: '{{count, number}} company',
  ranksCount_other: '{{count, number}} companies',
  licences: 'Licenses',
  given: 'Given to companies',
  givenText: '{{given}} of {{allocated}}, {{left}} left',
  inUse: 'In use',
  inUseText: '{{inUse}} of {{given}}, {{left}} unused',
  byUnit: 'See them by unit',
  noRoom: 'No license is left to give to a company.',
  ending: 'Contracts that end soon',
  noneEnding: 'No contract ends within 30 days.',
  allEnding_one: 'See the {{count, number}} company',
  allEnding_other: 'See all {{count, number}} companies',
  first: {
    platformTitle: 'There are no companies yet',
    platformText: 'First come a unit and its administrator, then its companies.',
    unitTitle: 'This unit has no companies yet',
    unitText: 'Once you have created the first company, its contract and its licenses are shown here.',
    viewText: 'Once there is a company, its contract and its licenses are shown here.',
  },
};
