import { keepExportTasks } from '@portal/csv-export';
import type { EventHandler } from '@portal/service-kit';
import { partnerSubscriptions } from '../copies/data/copies-repository.ts';
import { groups, members } from '../copies/use-cases/keep-copies.ts';
import type { FileDb } from '../data/db.ts';

/** All events of other services that this service handles. */
export const subscriptions: readonly EventHandler<FileDb>[] = [
  ...partnerSubscriptions<FileDb>(),
  ...groups.subscriptions,
  ...members.subscriptions,
  ...keepExportTasks(['files']),
];
