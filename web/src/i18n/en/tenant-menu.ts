import type { tenantMenu as ja } from '../ja/tenant-menu.ts';
import type { Translation } from '../translation.ts';

export const tenantMenu: Translation<typeof ja> = {
  ways: 'Manage this company',
  edit: 'Edit company',
  admins: 'Company admins',
  adminsText: 'Who can sign in to its portal',
  licenceLog: 'License history',
  licenceLogText: 'Changes of the contract and its licenses',
  bounces: 'Undelivered emails',
  bouncesText: 'To whom, what kind, and why',
  noAdmins:
    'This company has no company admin yet. Create the first one: they receive an email to choose a password.',
  createAdmin: 'Create company admin',
  facts: 'Contract and settings',
  timeZone: 'Time zone',
  endsHelp: 'people can sign in until {{last}}',
  delete: 'Delete company',
  deleteTitle: 'Delete the company?',
  deleteText:
    'The company “{{name}}” will be deleted. Everybody is signed out at once, and all of its users, groups, files and company admins are deleted. This cannot be undone.',
  typeName: 'To confirm, type the name of the company: “{{name}}”',
  typedName: 'Company name',
  refusedTitle: 'This company cannot be deleted yet',
  refused:
    'The company “{{name}}” has users, groups or files, and its contract has not ended. Delete these or end the contract first.',
  refusedUntil: 'By its present contract, it can be deleted from {{last}} on.',
  endContract: 'End the contract',
  deleted: 'The company “{{name}}” has been deleted.',
  bouncesTitle: 'Undelivered emails',
  bouncesLead: 'Emails to people and contacts of “{{name}}” that did not arrive, newest first.',
  noBounces: 'Every email has arrived',
  noBouncesText: 'When an email cannot be delivered, its address and the reason are shown here.',
  address: 'Address',
  kind: 'Kind',
  kinds: { hard: 'Permanent', soft: 'Temporary' },
  kindHelp: {
    hard: 'It was refused. Check the address.',
    soft: 'It could not be delivered for a day, and may be later.',
  },
  reason: 'Reason',
  reasons: {
    unknownAddress: 'The address does not exist',
    unknownDomain: 'The domain of the address was not found or not reached',
    full: 'The mailbox is full',
    disabled: 'The mailbox is not in use',
    tooLarge: 'The email is too large',
    refused: 'The server refused it',
    unreachable: 'The server could not be reached',
    other: 'The server answered',
  },
  occurredAt: 'Time',
};
