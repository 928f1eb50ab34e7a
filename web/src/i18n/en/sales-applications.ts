import type { salesApplications as ja } from '../ja/sales-applications.ts';
import type { Translation } from '../translation.ts';
import { applications } from './applications.ts';

export const salesApplications: Translation<typeof ja> = {
  ...applications,
  title: 'Sales apps',
  create: 'Create sales app',
  edit: 'Edit sales app',
  detail: 'Sales app',
  delete: 'Delete sales app',
  complete: 'Sales app saved',
  emptyTitle: 'There are no sales apps yet',
  emptyText: 'The destination companies of a sales app deliver it to their groups. Create the first one.',
  deleteTitle: 'Delete sales apps?',
};
