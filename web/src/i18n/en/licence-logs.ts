import type { licenceLogs as ja } from '../ja/licence-logs.ts';
import type { Translation } from '../translation.ts';

export const licenceLogs: Translation<typeof ja> = {
  title: 'License history',
  lead: 'Changes of contracts and licenses, newest first. Nothing of it is ever changed or deleted.',
  changedAt: 'Time',
  partner: 'Company',
  changedBy: 'Changed by',
  changes: 'Changes',
  signUp: 'Sign-up',
  created: 'Created',
  ofPartner: 'History of this company',
  partnerId: 'Number of the company',
  changedAtStart: 'Changed: from',
  changedAtEnd: 'Changed: to',
  lastMonth: 'Last 30 days',
  fields: {
    contractRank: 'Plan',
    licenseType: 'License type',
    licenseCount: 'Licenses',
    licenseExpiredOn: 'Valid until',
    uapFileLimit: 'Limit of .uap files',
    unitId: 'Unit',
  },
  to: 'changed to',
  unitNo: 'Unit no. {{id}}',
  emptyTitle: 'No change has been recorded yet',
  emptyText: 'When a company is created or its contract changes, what was before and after is shown here.',
};
