import type { unitAdmins as ja } from '../ja/unit-admins.ts';
import type { Translation } from '../translation.ts';

export const unitAdmins: Translation<typeof ja> = {
  title: 'Unit administrators',
  create: 'Create unit administrator',
  edit: 'Edit unit administrator',
  editOf: 'Edit “{{name}}”',
  confirm: 'Check the details',
  complete: 'Unit administrator saved',
  searchFor: 'Search by ID, name or email',
  id: 'ID',
  emptyTitle: 'This unit has no administrators',
  emptyText: 'An administrator of the unit can look after its companies.',
  deleteTitle: 'Delete unit administrators?',
  deleteOne:
    'The unit administrator “{{name}}” will be deleted, and signed out at once. This cannot be undone.',
  deleteMany:
    'The following {{count}} unit administrators will be deleted, and signed out at once. This cannot be undone.',
  deleted_one: '{{count}} unit administrator has been deleted.',
  deleted_other: '{{count}} unit administrators have been deleted.',
  created: 'The unit administrator “{{name}}” was created.',
  updated: 'The unit administrator “{{name}}” was updated.',
  toList: 'Back to the list',
  toRecord: 'Show the new administrator',
  createAnother: 'Create another',
};
