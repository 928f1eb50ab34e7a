import type { certifications as ja } from '../ja/certifications.ts';
import type { Translation } from '../translation.ts';

export const certifications: Translation<typeof ja> = {
  title: 'Push certificates',
  create: 'Add certificate',
  edit: 'Edit certificate',
  editOf: 'Edit “{{name}}”',
  detail: 'Certificate',
  delete: 'Delete certificate',
  searchFor: 'Search by name',
  name: 'Certificate name',
  confirm: 'Check the details',
  complete: 'Certificate saved',
  emptyTitle: 'There are no certificates yet',
  emptyText: 'Add a certificate to send push notifications to your own app.',
  deleteTitle: 'Delete the certificate?',
  deleteOne: 'Certificate “{{name}}” will be deleted. This cannot be undone.',
  deleteMany: 'These {{count}} certificates will be deleted. This cannot be undone.',
  deleted_one: 'Deleted {{count}} certificate.',
  deleted_other: 'Deleted {{count}} certificates.',
  created: 'Certificate “{{name}}” was added.',
  updated: 'Certificate “{{name}}” was saved.',
  toList: 'Back to the list',
  toRecord: 'Show the certificate',
  createAnother: 'Add another',
};
