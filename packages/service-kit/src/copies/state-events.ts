import {
  documentEvents,
  type EventData,
  fileEvents,
  identityEvents,
  pushEvents,
  ssoEvents,
  tenantEvents,
  userEvents,
} from '@portal/contracts';
import type { EventDefinition } from '@portal/messaging';
import { type EventEnvelope, partnerOf } from '../subscriptions.ts';

/** A thing that is gone. `P` is null where it belongs to no tenant. */
export interface Gone<P extends number | null> {
  readonly id: number;
  readonly partnerId: P;
  /** Grows with each change; 0 in events from before it was kept. */
  readonly revision: number;
  readonly at: Date;
}

/** What was told of a thing: its state, or null where it is gone. */
export interface Told<S, P extends number | null> extends Gone<P> {
  readonly state: S | null;
}

/** What is news of a thing. */
export interface Stated<S, P extends number | null> extends Gone<P> {
  readonly state: S;
  /** Whether nothing was known of it. */
  readonly isFirst: boolean;
}

/** The events that tell of the states of a kind of thing. */
export type StateEvents<S, P extends number | null> = readonly StateEvent<S, P>[];

interface StateEvent<S, P extends number | null> {
  readonly event: EventDefinition;
  /** Whether it tells of one thing that stays: what follows from it takes moments. */
  readonly isSmall: boolean;
  /** What it tells, of one thing or of many; its data fits the schema. */
  read(event: EventEnvelope): readonly Told<S, P>[];
}

export type PartnerState = EventData<typeof tenantEvents.partnerCreated>;
export type UnitState = EventData<typeof tenantEvents.unitCreated>;
export type AdminState = EventData<typeof identityEvents.adminCreated>;
export type ApplicationState = EventData<typeof fileEvents.applicationUpdated>;
export type GroupState = EventData<typeof userEvents.groupCreated>;
export type SsoSettingState = Pick<
  EventData<typeof ssoEvents.settingCreated>,
  'partnerId' | 'revision' | 'ssoOnly' | 'useSsoFlag'
>;
/** What is told of a document database; of one that is gone nothing but that. */
export type DatabaseState = Partial<
  Omit<EventData<typeof documentEvents.databaseCreated>, 'partnerId' | 'revision'>
> &
  Pick<EventData<typeof documentEvents.databaseDeleted>, 'db' | 'partnerId' | 'revision'>;
export type NotificationState = EventData<typeof pushEvents.notificationScheduled>;
export type CertificationState = EventData<typeof pushEvents.certificationCreated>;
export type UserState = EventData<typeof userEvents.userCreated>;

export const partnerStates: StateEvents<PartnerState, number> = [
  stated(tenantEvents.partnerCreated, partnerOf, (state) => ({ id: state.partnerId, state })),
  stated(tenantEvents.partnerUpdated, partnerOf, (state) => ({ id: state.partnerId, state })),
  ended(tenantEvents.partnerDeleted, partnerOf, ({ partnerId }) => [partnerId]),
];

export const unitStates: StateEvents<UnitState, null> = [
  stated(tenantEvents.unitCreated, ofNobody, (state) => ({ id: state.unitId, state })),
  stated(tenantEvents.unitUpdated, ofNobody, (state) => ({ id: state.unitId, state })),
  ended(tenantEvents.unitDeleted, ofNobody, ({ unitId }) => [unitId]),
];

export const adminStates: StateEvents<AdminState, null> = [
  stated(identityEvents.adminCreated, ofNobody, (state) => ({ id: state.adminId, state })),
  stated(identityEvents.adminUpdated, ofNobody, (state) => ({ id: state.adminId, state })),
  ended(identityEvents.adminDeleted, ofNobody, ({ adminId }) => [adminId]),
];

/** Of published applications. */
export const applicationStates: StateEvents<ApplicationState, null> = [
  stated(fileEvents.applicationPublished, ofNobody, (state) => ({ id: state.applicationId, state })),
  stated(fileEvents.applicationUpdated, ofNobody, (state) => ({ id: state.applicationId, state })),
  ended(fileEvents.applicationDeleted, ofNobody, ({ applicationId }) => [applicationId]),
];

export const groupStates: StateEvents<GroupState, number> = [
  stated(userEvents.groupCreated, partnerOf, (state) => ({ id: state.groupId, state })),
  stated(userEvents.groupUpdated, partnerOf, (state) => ({ id: state.groupId, state })),
  ended(userEvents.groupDeleted, partnerOf, ({ groupId }) => [groupId]),
];

/** Of push notifications, until their delivery begins. */
export const notificationStates: StateEvents<NotificationState, number> = [
  stated(pushEvents.notificationScheduled, partnerOf, (state) => ({ id: state.notificationId, state })),
  stated(pushEvents.notificationUpdated, partnerOf, (state) => ({ id: state.notificationId, state })),
  ended(pushEvents.notificationDeleted, partnerOf, ({ notificationId }) => [notificationId]),
];

/** Of push certificates: those of tenants, and the operator's. */
export const certificationStates: StateEvents<CertificationState, number | null> = [
  stated(pushEvents.certificationCreated, tenantIn, (state) => ({ id: state.certificationId, state })),
  stated(pushEvents.certificationUpdated, tenantIn, (state) => ({ id: state.certificationId, state })),
  ended(pushEvents.certificationDeleted, tenantIn, ({ certificationId }) => [certificationId]),
];

/** Of the people of tenants, company admins who are no users among them. */
export const userStates: StateEvents<UserState, number> = [
  stated(userEvents.userCreated, partnerOf, (state) => ({ id: state.userId, state })),
  stated(userEvents.userUpdated, partnerOf, (state) => ({ id: state.userId, state })),
  ended(userEvents.userDeleted, partnerOf, ({ userId }) => [userId]),
  statedOfMany(userEvents.usersCreated, partnerOf, ({ people }) => people.map(byUserId)),
  statedOfMany(userEvents.usersUpdated, partnerOf, ({ people }) => people.map(byUserId)),
  ended(userEvents.usersDeleted, partnerOf, ({ people }) => people.map(({ userId }) => userId)),
];

/** The same, with what is told once more after an upgrade: for services that keep people only since then. */
export const retoldUserStates: StateEvents<UserState, number> = [
  ...userStates,
  statedOfMany(userEvents.usersTold, partnerOf, ({ people }) => people.map(byUserId)),
];

/** Of the setting of single sign-on of a tenant, by the tenant's id. It may come again after it has gone, so its end is a state too. */
export const ssoSettingStates: StateEvents<SsoSettingState, number> = [
  stated(ssoEvents.settingCreated, partnerOf, (state) => ({ id: state.partnerId, state })),
  stated(ssoEvents.settingUpdated, partnerOf, (state) => ({ id: state.partnerId, state })),
  stated(ssoEvents.settingDeleted, partnerOf, (state) => ({
    id: state.partnerId,
    state: { ...state, useSsoFlag: false, ssoOnly: false },
  })),
];

/** Of the document database of a tenant, in the same way. */
export const databaseStates: StateEvents<DatabaseState, number> = [
  stated(documentEvents.databaseCreated, partnerOf, (state) => ({ id: state.partnerId, state })),
  stated(documentEvents.databaseUpdated, partnerOf, (state) => ({ id: state.partnerId, state })),
  stated(documentEvents.databaseDeleted, partnerOf, (state) => ({ id: state.partnerId, state })),
];

function byUserId<S extends UserState>(state: S): { id: number; state: S } {
  return { id: state.userId, state };
}

interface Revised {
  readonly revision?: number | undefined;
}

function stated<D, S extends Revised, P extends number | null>(
  event: EventDefinition<D>,
  partnerIdOf: (event: EventEnvelope) => P,
  stateOf: (data: D) => { id: number; state: S },
): StateEvent<S, P> {
  return { ...statedOfMany(event, partnerIdOf, (data: D) => [stateOf(data)]), isSmall: true };
}

function statedOfMany<D, S extends Revised, P extends number | null>(
  event: EventDefinition<D>,
  partnerIdOf: (event: EventEnvelope) => P,
  statesOf: (data: D) => readonly { id: number; state: S }[],
): StateEvent<S, P> {
  return {
    event,
    isSmall: false,
    read(envelope) {
      const of = { partnerId: partnerIdOf(envelope), at: new Date(envelope.time) };
      return statesOf(envelope.data as D).map(({ id, state }) => {
        const { revision = 0 } = state;
        return { ...of, id, revision, state };
      });
    },
  };
}

/** An end needs no revision: nothing comes after it. */
function ended<D, P extends number | null>(
  event: EventDefinition<D>,
  partnerIdOf: (event: EventEnvelope) => P,
  idsOf: (data: D) => readonly number[],
): StateEvent<never, P> {
  return {
    event,
    isSmall: false,
    read(envelope) {
      const of = { partnerId: partnerIdOf(envelope), at: new Date(envelope.time), revision: 0, state: null };
      return idsOf(envelope.data as D).map((id) => ({ ...of, id }));
    },
  };
}

function tenantIn({ partnerid }: EventEnvelope): number | null {
  return partnerid;
}

function ofNobody(): null {
  return null;
}
