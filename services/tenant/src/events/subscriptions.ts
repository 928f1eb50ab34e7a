import { extensionOf, fileEvents, identityEvents, userEvents } from '@portal/contracts';
import {
  type EventEnvelope,
  type EventHandler,
  keepExportTasks,
  on,
  onMany,
  partnerOf,
} from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { type LicenceHolder, setLicences } from '../data/licence-use-repository.ts';
import { dropFile, dropReserved, keepVersion, releaseVersion } from '../data/stored-file-repository.ts';
import { keepUnitAdmin } from '../data/unit-repository.ts';

export const subscriptions: readonly EventHandler<TenantDb>[] = [
  on(identityEvents.adminCreated, 'keep-unit-admins', async ({ db }, { data }) => {
    const { unitId, ...admin } = data;
    if (unitId !== null) await keepUnitAdmin(db, { ...admin, unitId });
  }),

  onMany(userEvents.userCreated, 'count-licences', async ({ db }, events) =>
    setLicences(db, events.map(byUser)),
  ),
  onMany(userEvents.userUpdated, 'count-licences', async ({ db }, events) =>
    setLicences(db, events.map(byUser)),
  ),
  onMany(userEvents.userDeleted, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...holder('user', event.data.userId, event), holds: false })),
    ),
  ),
  onMany(userEvents.deviceRegistered, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...holder('device', event.data.uuid, event), holds: true })),
    ),
  ),
  onMany(userEvents.deviceRemoved, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...holder('device', event.data.uuid, event), holds: false })),
    ),
  ),

  on(fileEvents.fileUploaded, 'measure-files', async ({ db }, event) => {
    const { fileName, fileSize, reserved = false, version } = event.data;
    const isUap = extensionOf(fileName) === '.uap';
    await keepVersion(db, fileOf(event), { isUap, number: version, size: fileSize, reserved });
  }),
  on(fileEvents.fileUpdated, 'measure-files', async ({ db }, event) => {
    if (event.data.updateReservationAt === null) await dropReserved(db, fileOf(event));
  }),
  on(fileEvents.fileVersionReleased, 'measure-files', async ({ db }, event) =>
    releaseVersion(db, fileOf(event), event.data.version),
  ),
  on(fileEvents.fileDeleted, 'measure-files', async ({ db }, event) => dropFile(db, fileOf(event))),
  ...keepExportTasks(['partners']),
];

/** A company admin who is not a user takes no licence. */
function byUser(
  event: EventEnvelope<{ readonly userId: number; readonly isUser: boolean }>,
): LicenceHolder & { readonly holds: boolean } {
  return { ...holder('user', event.data.userId, event), holds: event.data.isUser };
}

function holder(
  kind: LicenceHolder['kind'],
  id: number | string,
  event: EventEnvelope<unknown>,
): LicenceHolder {
  return { partnerId: partnerOf(event), kind, holder: String(id) };
}

function fileOf(event: EventEnvelope<{ readonly fileId: number }>): { partnerId: number; fileId: number } {
  return { partnerId: partnerOf(event), fileId: event.data.fileId };
}
