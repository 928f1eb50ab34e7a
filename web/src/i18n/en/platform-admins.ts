import type { platformAdmins as ja } from '../ja/platform-admins.ts';
import type { Translation } from '../translation.ts';

export const platformAdmins: Translation<typeof ja> = {
  title: 'Platform administrators',
  create: 'Create platform administrator',
  edit: 'Edit platform administrator',
  editOf: 'Edit “{{name}}”',
  confirm: 'Check the details',
  complete: 'Platform administrator saved',
  searchFor: 'Search by ID, name or email',
  id: 'ID',
  emptyTitle: 'There are no platform administrators',
  emptyText: 'A platform administrator looks after all units and companies.',
  deleteTitle: 'Delete platform administrators?',
  deleteOne:
    'The platform administrator “{{name}}” will be deleted, and signed out at once. This cannot be undone.',
  deleteMany:
    'The following {{count}} platform administrators will be deleted, and signed out at once. This cannot be undone.',
  deleted_one: '{{count}} platform administrator has been deleted.',
  deleted_other: '{{count}} platform administrators have been deleted.',
  created: 'The platform administrator “{{name}}” was created.',
  updated: 'The platform administrator “{{name}}” was updated.',
  toList: 'Back to the list',
  toRecord: 'Show the new administrator',
  createAnother: 'Create another',
};
