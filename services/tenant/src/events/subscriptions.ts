import { extensionOf, fileEvents, mailEvents, userEvents } from '@portal/contracts';
import { keepExportTasks } from '@portal/csv-export';
import {
  type AdminState,
  adminStates,
  copyOf,
  type EventEnvelope,
  type EventHandler,
  on,
  onMany,
  partnerOf,
  type UserState,
  userStates,
} from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { type LicenceHolder, setLicences } from '../data/licence-use-repository.ts';
import { addMails } from '../data/mail-count-repository.ts';
import { dropFile, dropReserved, releaseVersion, upsertVersion } from '../data/stored-file-repository.ts';
import { dropUnitAdmins, upsertUnitAdmin } from '../data/unit-repository.ts';

/** A company admin who is not a user takes no licence. */
const users = copyOf<TenantDb, UserState, number>('count-licences', userStates, {
  keep: async ({ db }, people) =>
    setLicences(
      db,
      people.map(({ id, partnerId, state: { isUser } }) => ({
        partnerId,
        kind: 'user',
        holder: String(id),
        holds: isUser,
      })),
    ),
  forget: async ({ db }, people) =>
    setLicences(
      db,
      people.map(({ id, partnerId }) => ({ partnerId, kind: 'user', holder: String(id), holds: false })),
    ),
});

const unitAdmins = copyOf<TenantDb, AdminState, null>('keep-unit-admins', adminStates, {
  async keep({ db }, admins) {
    for (const { state: admin } of admins) await upsertUnitAdmin(db, admin);
  },
  forget: async ({ db }, admins) =>
    dropUnitAdmins(
      db,
      admins.map(({ id }) => id),
    ),
});

export const subscriptions: readonly EventHandler<TenantDb>[] = [
  ...unitAdmins.subscriptions,
  ...users.subscriptions,
  onMany(userEvents.deviceRegistered, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...deviceOf(event), holds: true })),
    ),
  ),
  onMany(userEvents.deviceRemoved, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...deviceOf(event), holds: false })),
    ),
  ),

  on(fileEvents.fileUploaded, 'measure-files', async ({ db }, event) => {
    const { fileName, fileSize, reserved = false, version } = event.data;
    const isUap = extensionOf(fileName) === '.uap';
    await upsertVersion(db, fileOf(event), { isUap, number: version, size: fileSize, reserved });
  }),
  on(fileEvents.fileUpdated, 'measure-files', async ({ db }, event) => {
    if (event.data.updateReservationAt === null) await dropReserved(db, fileOf(event));
  }),
  on(fileEvents.fileVersionReleased, 'measure-files', async ({ db }, event) =>
    releaseVersion(db, fileOf(event), event.data.version),
  ),
  on(fileEvents.fileDeleted, 'measure-files', async ({ db }, event) => dropFile(db, fileOf(event))),

  onMany(mailEvents.mailSent, 'count-mails', async ({ db }, events) => countMails(db, events, 'sent'), {
    lingers: true,
  }),
  onMany(mailEvents.mailBounced, 'count-mails', async ({ db }, events) => countMails(db, events, 'bounced'), {
    lingers: true,
  }),
  ...keepExportTasks(['partners']),
];

/** Mails of no tenant, as those to administrators, are counted nowhere. */
async function countMails(
  db: TenantDb,
  events: readonly EventEnvelope<unknown>[],
  outcome: 'sent' | 'bounced',
): Promise<void> {
  const mails = events.flatMap(({ partnerid, time }) =>
    partnerid === null ? [] : [{ partnerId: partnerid, at: new Date(time) }],
  );
  await addMails(db, mails, outcome);
}

function deviceOf(event: EventEnvelope<{ readonly uuid: string }>): LicenceHolder {
  return { partnerId: partnerOf(event), kind: 'device', holder: event.data.uuid };
}

function fileOf(event: EventEnvelope<{ readonly fileId: number }>): { partnerId: number; fileId: number } {
  return { partnerId: partnerOf(event), fileId: event.data.fileId };
}
