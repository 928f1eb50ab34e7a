import type { operationLogs as ja } from '../ja/operation-logs.ts';
import type { Translation } from '../translation.ts';

export const operationLogs: Translation<typeof ja> = {
  title: 'Operation logs',
  lead: "Download what was done in your company's portal and players, as a CSV file.",
  adminLead: 'Download everything that was done, as a CSV file.',
  unitLead: 'Download what was done by the administrators and at the companies of your unit, as a CSV file.',
  start: 'From',
  startHelp: 'Operations at or after this time. Leave empty to start with the first.',
  end: 'Until',
  endHelp: 'Operations before this time. Leave empty for everything up to now.',
  columns: 'When, who, role, address, agent, operation, target and result. Operations are kept for 400 days.',
  notInContract: 'Your contract does not include the operation logs',
  notInContractText: 'Please contact us if you want to use them.',
};
