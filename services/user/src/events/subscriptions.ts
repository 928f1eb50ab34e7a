import { fileEvents, tenantEvents } from '@portal/contracts';
import { type EventHandler, keepExportTasks, on, partnerOf } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { forgetFile, keepGroupsOfFile } from '../data/group-repository.ts';
import { keepPartner } from '../data/partner-repository.ts';
import { importJob } from '../jobs.ts';
import { startUserImport } from '../use-cases/start-user-import.ts';

export const subscriptions: readonly EventHandler<UserDb>[] = [
  on(tenantEvents.partnerCreated, 'keep-partners', async ({ db }, { data }) => keepPartner(db, data)),

  on(
    fileEvents.uploadCompleted,
    'start-imports',
    async ({ db }, event) =>
      startUserImport(db, { ...event.data, partnerId: partnerOf(event) }, new Date(event.time)),
    { wakes: importJob },
  ),

  on(fileEvents.fileAssigned, 'keep-group-files', async ({ db }, event) =>
    keepGroupsOfFile(db, partnerOf(event), event.data),
  ),
  on(fileEvents.fileDeleted, 'keep-group-files', async ({ db }, event) =>
    forgetFile(db, partnerOf(event), event.data.fileId),
  ),

  ...keepExportTasks(['users']),
];
