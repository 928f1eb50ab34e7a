import type { ownNotices as ja } from '../ja/own-notices.ts';
import type { Translation } from '../translation.ts';

export const ownNotices: Translation<typeof ja> = {
  title: 'Notices',
  bell_one: 'Notices ({{count}} unread)',
  bell_other: 'Notices ({{count}} unread)',
  bellNone: 'Notices (none unread)',
  unread: 'Unread',
  readAll: 'Mark all as read',
  emptyTitle: 'No notices',
  emptyText:
    'You are told here when an export is ready, an import has ended and so on. Notices stay for 30 days.',
  failed: 'The notices could not be loaded.',
  older: 'Older notices',
  newer: 'Newer notices',
  open: 'Open',
  exports: {
    files: 'The CSV of files',
    users: 'The CSV of users',
    pushNotifications: 'The CSV of push notifications',
    operationLogs: 'The CSV of the operation log',
    partners: 'The CSV of companies',
    other: 'The CSV',
  },
  exportReady_one: '{{name}} ({{rows}} row) is ready for download.',
  exportReady_other: '{{name}} ({{rows}} rows) is ready for download.',
  importApplied:
    'The import of users is done: {{created}} created, {{updated}} changed, {{deleted}} deleted.',
  importRefused_one: 'The import of users has {{errors}} error, so nothing was changed.',
  importRefused_other: 'The import of users has {{errors}} errors, so nothing was changed.',
  importFailed: 'The import of users failed.',
  uploadExpired: 'The upload of “{{name}}” ended because nothing arrived for 24 hours.',
  uploadRefused: '“{{name}}” was assigned to groups meanwhile, so what you uploaded does not take effect.',
  uploadOutdated:
    'What the upload of “{{name}}” was to replace has changed meanwhile, so what you uploaded does not take effect.',
  uploadGivenUp: 'The upload of “{{name}}” was cancelled by somebody else.',
  licenceEnding_one: 'The contract ends within {{count}} day, on {{date}}.',
  licenceEnding_other: 'The contract ends within {{count}} days, on {{date}}.',
  certificateEnding_one: 'The push certificate “{{name}}” ends within {{count}} day, on {{date}}.',
  certificateEnding_other: 'The push certificate “{{name}}” ends within {{count}} days, on {{date}}.',
  approvalRequested: {
    file: '{{by}} is asking for your approval of a change of “{{name}}”.',
    settings: '{{by}} is asking for your approval to turn off approvals.',
  },
  approvalDecided: {
    file: {
      approved: 'Your change of “{{name}}” was approved and made.',
      declined: 'Your change of “{{name}}” was declined.',
      expired: 'Nobody decided on your change of “{{name}}” within 7 days, so it was not made.',
      stale: 'Your change of “{{name}}” was not made: its effect is no longer the one that was shown.',
    },
    settings: {
      approved: 'Approvals were turned off, as you asked.',
      declined: 'Your request to turn off approvals was declined.',
      expired: 'Nobody decided on your request to turn off approvals within 7 days, so they stay on.',
      stale: 'Approvals were not turned off: the settings are no longer those of your request.',
    },
  },
  rolloutHalted:
    'Version {{version}} of “{{name}}” was halted. Reports: {{reports}}; failures: {{failures}}.',
  rolloutHaltedByHand: 'Version {{version}} of “{{name}}” was halted by an administrator.',
  exportTitle: 'Download of an export',
  exportText: 'It can be downloaded for a day after it was made.',
  download: 'Download',
  rows_one: '{{rows}} row',
  rows_other: '{{rows}} rows',
};
