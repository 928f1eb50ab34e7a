import type { databases as ja } from '../ja/databases.ts';
import type { Translation } from '../translation.ts';

export const databases: Translation<typeof ja> = {
  title: 'Databases',
  create: 'New database',
  edit: 'Edit database',
  editOf: 'Database of “{{name}}”',
  partner: 'Company',
  partnerHelp: 'A company whose plan includes document databases (Enterprise).',
  choosePartner: 'Find a company by name or company ID',
  db: 'Name of the database',
  searchFor: 'Find by company name',
  toDocuments: 'See documents',
  toDatabase: 'Open the database',
  toList: 'All databases',
  statusHelp: 'The quota is 100 MB on trial, and 10 GB when contracted.',
  expireHelp:
    'One day after the end nothing can be written; reading and export stay possible for 30 days more.',
  confirm: 'Check the details',
  complete: 'Done',
  created: 'The database of “{{name}}” was created.',
  createdNote: 'Company admins start using it on their screen “Documents”, where the API key is too.',
  updated: 'The database of “{{name}}” was updated.',
  createAnother: 'Create another',
  emptyTitle: 'No databases yet',
  emptyText: 'Choose a company and create a database on trial, or a contracted one.',
  delete: 'Delete database',
  deleteThis: 'Deletion of the database',
  deleteThisLead: 'All collections and documents are lost.',
  deleteTitle: 'Delete the database?',
  deleteText:
    'The database of company “{{name}}” is deleted with all collections and documents ({{count}}). Its API key stops at once. This cannot be undone.',
  typeName: 'To confirm, type the name of the company: {{name}}',
  deleted: 'The database of company “{{name}}” was deleted.',
};
