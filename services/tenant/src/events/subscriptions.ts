import {
  type EventData,
  extensionOf,
  fileEvents,
  mailEvents,
  pushEvents,
  tenantEvents,
  userEvents,
} from '@portal/contracts';
import { keepExportTasks } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import {
  type AdminState,
  type ApplicationState,
  adminStates,
  applicationStates,
  copyOf,
  type DatabaseState,
  databaseStates,
  type EventEnvelope,
  type EventHandler,
  type GroupState,
  groupStates,
  type KeyCipher,
  on,
  onMany,
  partnerOf,
  retoldUserStates,
  type Seals,
  type UserState,
} from '@portal/service-kit';
import { z } from 'zod';
import { dropAdmins, upsertAdmin } from '../data/admin-repository.ts';
import { dropApplications, keepApplication } from '../data/application-repository.ts';
import type { TenantDb } from '../data/db.ts';
import { keepDatabase } from '../data/document-database-repository.ts';
import { dropGroups, keepGroups } from '../data/group-repository.ts';
import { answerHold } from '../data/licence-hold-repository.ts';
import { type LicenceHolder, setLicences } from '../data/licence-use-repository.ts';
import { addBounces, addSentMails, type NewBounce } from '../data/mail-repository.ts';
import { addDeliveredPushes } from '../data/push-repository.ts';
import {
  dropFile,
  dropReserved,
  noteFile,
  releaseVersion,
  restoreVersion,
  upsertVersion,
} from '../data/stored-file-repository.ts';
import { dropOwner } from '../use-cases/drop-owner.ts';

/** The applications that somebody who signs up may ask for. */
const applications = copyOf<TenantDb, ApplicationState, null>('keep-applications', applicationStates, {
  async keep({ db }, published) {
    for (const { id: applicationId, state } of published) {
      await keepApplication(db, { applicationId, unitId: state.unitId });
    }
  },
  forget: async ({ db }, gone) =>
    dropApplications(
      db,
      gone.map(({ id }) => id),
    ),
});

/** The users of tenants, company admins who are users among them. Who is inactive takes no licence, but is a user of the tenant. */
const users = copyOf<TenantDb, UserState, number>('count-licences', retoldUserStates, {
  keep: async ({ db }, people) =>
    setLicences(
      db,
      people.map(({ id, partnerId, state }) => ({
        partnerId,
        kind: 'user',
        holder: String(id),
        becomes: standingOf(state),
      })),
    ),
  forget: async ({ db }, people) =>
    setLicences(
      db,
      people.map(({ id, partnerId }) => ({ partnerId, kind: 'user', holder: String(id), becomes: 'gone' })),
    ),
});

const admins = copyOf<TenantDb, AdminState, null>('keep-admins', adminStates, {
  async keep({ db }, told) {
    for (const { state } of told) await upsertAdmin(db, state);
  },
  forget: async ({ db }, gone) =>
    dropAdmins(
      db,
      gone.map(({ id }) => id),
    ),
});

const groups = copyOf<TenantDb, GroupState, number>('keep-groups', groupStates, {
  keep: async ({ db }, told) =>
    keepGroups(
      db,
      told.map(({ id, partnerId }) => ({ partnerId, groupId: id })),
    ),
  forget: async ({ db }, gone) =>
    dropGroups(
      db,
      gone.map(({ id, partnerId }) => ({ partnerId, groupId: id })),
    ),
});

/** For the summary. */
const databases = (sealing: { readonly cipher: KeyCipher; readonly seals: Seals }) =>
  copyOf<TenantDb, DatabaseState, number>('keep-databases', databaseStates, {
    async keep({ db }, told) {
      for (const { state } of told) await keepDatabase(db, state, sealing);
    },
    // It is a state of its own; see `databaseStates`.
    forget: async () => undefined,
  });

export const subscriptions = ({
  cipher,
  clock,
  seals,
}: {
  readonly cipher: KeyCipher;
  readonly clock: Clock;
  readonly seals: Seals;
}): readonly EventHandler<TenantDb>[] => [
  on(
    tenantEvents.partnerDeleted,
    'drop-owner',
    async (tx, event) => dropOwner(tx, partnerOf(event), clock.now()),
    {
      systemScope: 'a partner may own a unit that it is not of',
    },
  ),
  ...admins.subscriptions,
  ...groups.subscriptions,
  ...applications.subscriptions,
  ...users.subscriptions,
  ...databases({ cipher, seals }).subscriptions,
  on(userEvents.licenceHoldAnswered, 'answer-licence-holds', async ({ db }, event) =>
    answerHold(db, event.data, event.data),
  ),
  onMany(userEvents.deviceRegistered, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...deviceOf(event), becomes: 'active' })),
    ),
  ),
  onMany(userEvents.deviceRemoved, 'count-licences', async ({ db }, events) =>
    setLicences(
      db,
      events.map((event) => ({ ...deviceOf(event), becomes: 'gone' })),
    ),
  ),

  on(fileEvents.uploadStarted, 'measure-files', async ({ db }, event) =>
    noteFile(db, fileOf(event), { isUap: extensionOf(event.data.fileName) === '.uap' }),
  ),
  on(fileEvents.uploadFailed, 'measure-files', async ({ db }, event) => {
    // Applications are not of a tenant.
    if (event.data.fileDeleted && event.partnerid !== null) await dropFile(db, fileOf(event));
  }),
  on(fileEvents.fileUploaded, 'measure-files', async ({ db }, event) => {
    const { fileName, fileSize, reserved = false, version } = event.data;
    const isUap = extensionOf(fileName) === '.uap';
    await upsertVersion(db, fileOf(event), { isUap, number: version, size: fileSize, reserved });
  }),
  on(fileEvents.fileUpdated, 'measure-files', async ({ db }, event) => {
    if (event.data.updateReservationAt === null) await dropReserved(db, fileOf(event));
  }),
  on(fileEvents.fileVersionRestored, 'measure-files', async ({ db }, event) => {
    const { fileSize: size, updateReservationAt, version: number } = event.data;
    if (size === undefined) return;
    await restoreVersion(db, fileOf(event), { number, size, reserved: updateReservationAt !== null });
  }),
  on(fileEvents.fileVersionReleased, 'measure-files', async ({ db }, event) =>
    releaseVersion(db, fileOf(event), event.data.version),
  ),
  on(fileEvents.fileDeleted, 'measure-files', async ({ db }, event) => dropFile(db, fileOf(event))),

  // Mails of no tenant, as those to administrators, are counted nowhere.
  onMany(
    mailEvents.mailSent,
    'count-mails',
    async ({ db }, events) =>
      addSentMails(
        db,
        events.flatMap(({ partnerid, time }) =>
          partnerid === null ? [] : [{ partnerId: partnerid, at: new Date(time) }],
        ),
      ),
    { lingers: true },
  ),
  onMany(
    mailEvents.mailBounced,
    'keep-bounces',
    async ({ db }, events) =>
      addBounces(
        db,
        events.flatMap((event) => (event.partnerid === null ? [] : [bounceOf(event, seals)])),
      ),
    { lingers: true },
  ),
  onMany(pushEvents.notificationDelivered, 'count-pushes', async ({ db }, events) =>
    addDeliveredPushes(
      db,
      events.map((event) => ({ partnerId: partnerOf(event), at: new Date(event.data.finishedAt) })),
    ),
  ),
  ...keepExportTasks(['partners']),
];

const bounced = z.object({ email: z.string(), reason: z.string() });

function bounceOf(event: EventEnvelope<EventData<typeof mailEvents.mailBounced>>, seals: Seals): NewBounce {
  const { kind, mailId, sealed } = event.data;
  return {
    partnerId: partnerOf(event),
    ...bounced.parse(JSON.parse(seals.open(sealed, mailId))),
    kind: kind === 'permanent' ? 'hard' : 'soft',
    occurredAt: new Date(event.time),
  };
}

function standingOf({ active, isUser }: UserState): 'active' | 'inactive' | 'gone' {
  if (!isUser) return 'gone';
  return active === false ? 'inactive' : 'active';
}

function deviceOf(event: EventEnvelope<{ readonly uuid: string }>): LicenceHolder {
  return { partnerId: partnerOf(event), kind: 'device', holder: event.data.uuid };
}

function fileOf(event: EventEnvelope<{ readonly fileId: number }>): { partnerId: number; fileId: number } {
  return { partnerId: partnerOf(event), fileId: event.data.fileId };
}
