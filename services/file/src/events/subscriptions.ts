import { tenantEvents } from '@portal/contracts';
import { keepExportTasks } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import { type EventHandler, on } from '@portal/service-kit';
import { operator } from '@portal/storage';
import { giveApplication } from '../applications/use-cases/give-application.ts';
import { endTokens } from '../calendar/use-cases/end-tokens.ts';
import { certifications, notifications } from '../calendar/use-cases/keep-copies.ts';
import { partnerSubscriptions } from '../copies/data/copies-repository.ts';
import { groups, members } from '../copies/use-cases/keep-copies.ts';
import type { FileDb } from '../data/db.ts';
import { devices } from '../receipts/use-cases/keep-devices.ts';

/** All events of other services that this service handles. */
export const subscriptions = (deps: { readonly clock: Clock }): readonly EventHandler<FileDb>[] => [
  ...partnerSubscriptions<FileDb>(),
  on(
    tenantEvents.partnerSignedUp,
    'give-applications',
    async (tx, { data, time }) => {
      const { applicationId, partnerId } = data;
      if (applicationId !== null) await giveApplication(tx, { applicationId, partnerId, at: new Date(time) });
    },
    { systemScope: 'where an application goes is the operator’s, not the tenant’s' },
  ),
  // The name under which tenants see who publishes.
  on(tenantEvents.unitUpdated, 'name-publishers', async ({ db }, { data: { name, unitId } }) => {
    await db.file.updateMany({ where: { partnerId: operator, unitId }, data: { publisher: name } });
  }),
  ...groups.subscriptions,
  ...members.subscriptions,
  ...devices(deps),
  ...notifications.subscriptions,
  ...certifications.subscriptions,
  ...endTokens,
  ...keepExportTasks(['files', 'delivery']),
];
