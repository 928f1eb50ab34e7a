import { z } from 'zod';
import { languages } from '../core/errors.ts';
import {
  email,
  emptyReply,
  id,
  idName,
  loginUserId,
  oneLine,
  presentedPassword,
  requiredLine,
  revision,
  text,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { pushLimits } from '../core/push.ts';
import { route } from '../core/route.ts';
import { serviceNames, tokenAuthority } from '../core/services.ts';
import { partnerState, unitState } from '../events/tenant.ts';
import { groupCreated, userCreated } from '../events/user.ts';
import { partnerLogin } from '../routes/identity.ts';
import { signUpErrors, signUpFields } from '../routes/sign-up.ts';

export * from './provisioning.ts';

/**
 * What services ask each other when the answer must be exact at this moment. Who asks whom is in `services`, without a
 * circle.
 */

export const findPartner = route({
  id: 'findPartner',
  service: 'tenant',
  method: 'POST',
  path: '/internal/partners/find',
  summary: 'A partner by its code or its id.',
  access: {
    kind: 'internal',
    callers: ['identity', 'user', 'file', 'batch', 'mail', 'push', 'sso', 'document'],
  },
  logged: false,
  body: z.union([z.object({ partnerCode: text(64) }), z.object({ partnerId: id })]),
  response: partnerState.extend({
    json: z.string(),
    /** False until somebody follows the link of a sign-up: nobody signs in. Absent in answers of an earlier version. */
    activated: z.boolean().optional(),
  }),
  errors: ['E40402'],
});

export const findUnit = route({
  id: 'findUnit',
  service: 'tenant',
  method: 'POST',
  path: '/internal/units/find',
  summary: 'An outsourcing unit by its id.',
  access: { kind: 'internal', callers: ['identity', 'file'] },
  logged: false,
  body: z.object({ unitId: id }),
  response: unitState,
  errors: ['E40401'],
});

export const findMailSending = route({
  id: 'findMailSending',
  service: 'mail',
  method: 'POST',
  path: '/internal/mails/sending',
  summary: 'Whether mails are sent at all: an installation without a mail server accepts none.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  response: z.object({ sends: z.boolean() }),
});

const amount = z.number().int().min(0);

/** What tenants did in a quarter of an hour of one day (UTC), to be added to what is known of it. */
const usageEntry = z.object({
  partnerId: id,
  day: z.iso.date(),
  /** Which quarter of an hour of the day, from 0; absent from a gateway of the version before. */
  quarter: z.number().int().min(0).max(95).optional(),
  apiCalls: amount,
  /** Bytes of files; null where they do not pass the product. */
  uploadedBytes: amount.nullable(),
  downloadedBytes: amount.nullable(),
});
export type UsageEntry = z.output<typeof usageEntry>;

export const recordUsage = route({
  id: 'recordUsage',
  service: 'tenant',
  method: 'POST',
  path: '/internal/usage',
  summary: 'Adds to the counts of calls and transferred bytes of tenants; a repeated batch changes nothing.',
  access: { kind: 'internal', callers: ['gateway'] },
  logged: false,
  body: z.object({ batchId: z.uuid(), usage: z.array(usageEntry).max(1000) }),
  response: emptyReply,
});

const account = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  loginUserId: z.string().nullable(),
  role: z.number().int(),
  /** False for a company admin who is not a user: they have no player. */
  isUser: z.boolean(),
  groups: z.array(idName),
});

/** The address of the original caller, for the fair queue. Absent in calls by earlier versions. */
const clientAddress = text(64).optional();

/** Which password, role and state of the account it is: each that follows has a higher number. */
const generation = z.number().int().optional();

/** What a player says of its device; absent in the portal. */
const platform = z.object({
  uuid: oneLine(64),
  name: oneLine(255),
  osType: oneLine(32),
  osVersion: oneLine(64),
  playerVersion: oneLine(64),
});

const signedInAccount = account.extend({
  /** Which registration of the device it is; absent where none signs in. */
  registration: z.number().int().optional(),
  generation,
});

export const verifyLogin = route({
  id: 'verifyLogin',
  service: 'user',
  method: 'POST',
  path: '/internal/logins/verify',
  summary:
    'Checks a login, and tells whose it is; ten wrong ones in a row lock the account. Registers the device of a user, ' +
    'if the licence and the limits allow it.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  body: z.object({
    partnerId: id,
    email: text(254).optional(),
    loginUserId: text(64).optional(),
    password: presentedPassword,
    clientAddress,
    /** Whether the contract lets anybody in: only who is let in has signed in. */
    licensed: z.boolean().default(true),
    /**
     * False: a right password changes nothing until `settleLogin`. True: it ends the row of wrong ones, but of who has two
     * factors.
     */
    settles: z.boolean().default(true),
    /** The right password of anybody but a company admin is refused with `E40301`, and changes nothing. */
    adminsOnly: z.boolean().default(false),
    platform: platform.optional(),
  }),
  response: signedInAccount,
  errors: ['E40101', 'E40301', 'E40306', 'E40307', 'E50301'],
});

/** Somebody whom the identity provider of their tenant has proved to be who they are. */
export const provideSsoUser = route({
  id: 'provideSsoUser',
  service: 'user',
  method: 'POST',
  path: '/internal/sso/users',
  summary:
    'Who comes by single sign-on: the user with this address or login id, who is made where there is none, and put into ' +
    'the groups that the identity provider names.',
  access: { kind: 'internal', callers: ['sso'] },
  logged: false,
  body: z.object({
    partnerId: id,
    /** An e-mail address, where it has an `@`, or a login user id. */
    identifier: z.union([email, loginUserId]),
    /** Of a new user; that of another one stays. */
    name: requiredLine(limits.nameMaxLength),
    /** They are put into the groups of these names, where there are such, and out of all others. Absent: their groups stay. */
    groupNames: z
      .array(z.string())
      .max(10 * limits.maxGroupsPerRequest)
      .optional(),
    /** They are in this one too, if it is there. */
    defaultGroupId: id.optional(),
    /** In the portal nobody is made: who is not there, or has no place in it, is refused with `E40301`. */
    client: z.enum(['player', 'portal']),
    /** Tells what would come of it, and changes nothing. */
    preview: z.boolean().default(false),
  }),
  response: z.object({
    /** Null: they would be made. */
    userId: z.number().int().nullable(),
    created: z.boolean(),
    name: z.string(),
    groups: z.array(idName),
  }),
  errors: ['E40301', 'E40307', 'E40402'],
});

export const recordSsoLogin = route({
  id: 'recordSsoLogin',
  service: 'user',
  method: 'POST',
  path: '/internal/sso/logins',
  summary:
    'Signs somebody in of whom `provideSsoUser` has told, as `verifyLogin` does with a password. Registers the device of a ' +
    'user, if the licence and the limits allow it.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  body: z.object({
    partnerId: id,
    accountId: id,
    /** Whether the contract lets anybody in: only who is let in has signed in. */
    licensed: z.boolean().default(true),
    platform: platform.optional(),
  }),
  response: signedInAccount,
  errors: ['E40101', 'E40301', 'E40306', 'E40307'],
});

/** Whoever signs in with two factors has done half of it with the password. */
export const settleLogin = route({
  id: 'settleLogin',
  service: 'user',
  method: 'POST',
  path: '/internal/logins/settle',
  summary:
    'Counts what followed a right password that `verifyLogin` left open, or a code: a right one ends the row of wrong ' +
    'ones, of which the tenth locks the account.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  body: z.object({
    partnerId: id,
    accountId: id,
    right: z.boolean(),
    /** With which password and role it began; refused where it is another by now. */
    generation,
    /** Whether they sign in with it. */
    signsIn: z.boolean(),
  }),
  response: account.extend({ generation }),
  errors: ['E40004', 'E40101', 'E40301'],
});

export const checkAccountPassword = route({
  id: 'checkAccountPassword',
  service: 'user',
  method: 'POST',
  path: '/internal/accounts/:id/password/check',
  summary: 'Checks the password of a user who is signed in; a wrong one counts as a wrong sign-in.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  params: z.object({ id }),
  body: z.object({ partnerId: id, password: presentedPassword, clientAddress }),
  response: emptyReply,
  errors: ['E40002', 'E40403'],
});

export const findAccount = route({
  id: 'findAccount',
  service: 'user',
  method: 'POST',
  path: '/internal/accounts/find',
  summary: 'A user of a tenant by id or by sign-in name.',
  access: { kind: 'internal', callers: ['identity', 'file'] },
  logged: false,
  body: z.union([
    z.object({ partnerId: id, accountId: id }),
    z.object({ partnerId: id, email: text(254) }),
    z.object({ partnerId: id, loginUserId: text(64) }),
  ]),
  response: account
    .pick({ id: true, name: true, email: true, role: true, isUser: true })
    .extend({ hasPassword: z.boolean(), generation }),
  errors: ['E40403'],
});

export const changeAccountPassword = route({
  id: 'changeAccountPassword',
  service: 'user',
  method: 'PUT',
  path: '/internal/accounts/:id/password',
  summary: 'Changes the password of a user of a tenant, and unlocks the account.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  params: z.object({ id }),
  body: z.object({
    partnerId: id,
    currentPassword: presentedPassword.optional(),
    password: presentedPassword,
    clientAddress,
    /** The address to which the link was mailed; if the account has another address by now, the call is refused. */
    address: text(254).optional(),
    /** With which password and role the link was made; if the account got another password since, the call is refused. */
    generation,
    /** The session in which the password is changed; it continues. */
    keptSessionId: z.string().optional(),
    /** They have two factors: a right password alone takes no wrong codes back. */
    twoFactor: z.boolean().default(false),
  }),
  response: account.pick({ role: true }).extend({ generation }),
  errors: ['E40002', 'E40004', 'E40403'],
});

export const findUser = route({
  id: 'findUser',
  service: 'user',
  method: 'POST',
  path: '/internal/users/find',
  summary: 'Whether a partner has a user.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({ partnerId: id, id }),
  response: emptyReply,
  errors: ['E40403'],
});

export const holdGroups = route({
  id: 'holdGroups',
  service: 'user',
  method: 'POST',
  path: '/internal/groups/hold',
  summary:
    'Holds the groups to which a file is about to be assigned, all or none: until `file.assigned` arrives, and for a ' +
    'day at most, they cannot be deleted. Without the id of an assignment they are only looked for.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({
    partnerId: id,
    fileId: id,
    groupIds: z.array(id).max(limits.maxGroupsPerRequest),
    /** What `file.assigned` will name. */
    assignmentId: z.uuid().optional(),
  }),
  response: z.object({ groups: z.array(idName.extend({ revision })) }),
  errors: ['E40404'],
});

export const releaseGroups = route({
  id: 'releaseGroups',
  service: 'user',
  method: 'POST',
  path: '/internal/groups/release',
  summary: 'Ends the hold of groups for an assignment that was refused.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({ partnerId: id, assignmentId: z.uuid() }),
  response: emptyReply,
  errors: [],
});

/** What people get is changed by two admins from now on, until `approval.decided` says that this has ended. */
export const requireTwoAdmins = route({
  id: 'requireTwoAdmins',
  service: 'user',
  method: 'POST',
  path: '/internal/admins/two',
  summary: 'Keeps a tenant from having fewer than two active company admins, if it has two.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({
    partnerId: id,
    /** Milliseconds since 1970: whichever was said last counts. */
    at: z.number().int().min(0),
  }),
  response: emptyReply,
  errors: ['E40034'],
});

export const openUserImport = route({
  id: 'openUserImport',
  service: 'user',
  method: 'POST',
  path: '/internal/user-imports',
  summary:
    'Starts an import of users before its file is uploaded; it replaces an import that never got its file.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({
    partnerId: id,
    openedBy: id,
    /** The session in which it is opened. */
    openedIn: z.string().optional(),
    preview: z.boolean(),
  }),
  response: z.object({ importId: z.number().int() }),
  errors: ['E40010'],
});

/** A tenant, or 0: the operator, whose the applications are. */
const owner = z.number().int().min(0);

export const checkAddress = route({
  id: 'checkAddress',
  service: 'file',
  method: 'POST',
  path: '/internal/addresses/check',
  summary:
    'Whether the reason of a signed address still holds: a file is delivered to a player now, a file ' +
    'of a tenant exists, an upload accepts bytes.',
  access: { kind: 'internal', callers: ['gateway'] },
  logged: false,
  body: z.discriminatedUnion('purpose', [
    z.object({
      purpose: z.literal('delivery'),
      partnerId: id,
      accountId: id,
      fileId: id,
      /** Of the bytes of a version: the device that gets them. */
      receiver: z.object({ platformUuid: z.string(), version: id }).optional(),
    }),
    z.object({ purpose: z.literal('file'), partnerId: id, fileId: id }),
    z.object({ purpose: z.literal('upload'), partnerId: owner, uploadId: z.uuid() }),
  ]),
  response: emptyReply,
  errors: ['E40405'],
});

export const noteArrival = route({
  id: 'noteArrival',
  service: 'file',
  method: 'POST',
  path: '/internal/uploads/arrivals',
  summary: 'Tells that bytes of an upload are arriving, or that a part of it is stored.',
  access: { kind: 'internal', callers: ['gateway'] },
  logged: false,
  body: z.object({ partnerId: owner, uploadId: z.uuid(), stored: z.boolean() }),
  response: emptyReply,
});

export const findFile = route({
  id: 'findFile',
  service: 'file',
  method: 'POST',
  path: '/internal/files/find',
  summary: 'Whether a tenant has a file, or an application that is for it.',
  access: { kind: 'internal', callers: ['batch'] },
  logged: false,
  body: z.object({ partnerId: id, fileId: id }),
  response: emptyReply,
  errors: ['E40405'],
});

/** As many downloads as one call may carry. */
export const mostSent = 500;

export const noteSent = route({
  id: 'noteSent',
  service: 'file',
  method: 'POST',
  path: '/internal/deliveries/sent',
  summary: 'Tells that the last byte of a version was sent to a device.',
  access: { kind: 'internal', callers: ['gateway'] },
  logged: false,
  body: z.object({
    sent: z
      .array(
        z.object({
          partnerId: id,
          accountId: id,
          platformUuid: z.string().min(1).max(64),
          fileId: id,
          version: id,
          at: z.iso.datetime(),
        }),
      )
      .max(mostSent),
  }),
  response: emptyReply,
});

export const findAdministrator = route({
  id: 'findAdministrator',
  service: 'identity',
  method: 'POST',
  path: '/internal/administrators/find',
  summary: 'The name of an administrator of the platform or of a unit.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({ adminId: id }),
  response: z.object({ name: z.string() }),
  errors: ['E40403'],
});

/** Sessions that were ended before their tokens run out; what an instance reads when it starts. */
export const listRevocations = route({
  id: 'listRevocations',
  service: 'identity',
  method: 'POST',
  path: '/internal/revocations/list',
  summary:
    'Sessions that were revoked, and administrators who got another role, before their tokens expired; if a time is ' +
    'given, only those of since then.',
  access: { kind: 'internal', callers: serviceNames.filter((name) => name !== tokenAuthority) },
  logged: false,
  body: z.object({ since: z.iso.datetime().optional() }),
  response: z.object({
    sessions: z.array(z.object({ sessionId: z.string(), expiresAt: z.string() })),
    /** Absent in answers of an earlier version. */
    roles: z
      .array(
        z.object({
          adminId: z.number().int(),
          role: z.number().int(),
          /** That of the administrator; tokens from before name a lower one. */
          revision: z.number().int(),
        }),
      )
      .default([]),
  }),
});

/** Somebody whom the identity provider of their tenant has proved to be who they are, and whom `provideSsoUser` knows. */
export const openSsoSession = route({
  id: 'openSsoSession',
  service: 'identity',
  method: 'POST',
  path: '/internal/sso/sessions',
  summary:
    'Signs a person of a tenant in without a password: with `platform` to the player, without to the portal.',
  access: { kind: 'internal', callers: ['sso'] },
  logged: false,
  body: z.object({
    partnerId: id,
    accountId: id,
    platform: platform.optional(),
    /** What signs in, as it names itself, and from where. */
    agent: z.string(),
    address: z.string(),
    /** Whether the provider has a logout, to which the browser goes when the session is ended in the portal. */
    logsOut: z.boolean(),
  }),
  response: z.object({
    sessionId: z.uuid(),
    role: z.number().int(),
    /** When the session is over, however often its token is refreshed. */
    endsAt: z.iso.datetime(),
    reply: partnerLogin.response,
  }),
  errors: ['E40101', 'E40301', 'E40302', 'E40306', 'E40307', 'E40402'],
});

export const endSsoSessions = route({
  id: 'endSsoSessions',
  service: 'identity',
  method: 'POST',
  path: '/internal/sso/sessions/end',
  summary: 'Ends sessions of a tenant that began by single sign-on; those that have ended are passed over.',
  access: { kind: 'internal', callers: ['sso'] },
  logged: false,
  body: z.object({ partnerId: id, sessionIds: z.array(z.uuid()).max(1000) }),
  response: emptyReply,
});

/** What a session is sealed for, whose end the browser takes to the identity provider. */
export const ssoLogoutSeal = 'logout at the identity provider';

/** When sessions were last used, as the gateway sees it; to the minute. */
export const recordSessionUses = route({
  id: 'recordSessionUses',
  service: 'identity',
  method: 'POST',
  path: '/internal/sessions/uses',
  summary: 'Tells that sessions were used; what was known of a later time stays.',
  access: { kind: 'internal', callers: ['gateway'] },
  logged: false,
  body: z.object({ at: z.iso.datetime(), sessionIds: z.array(z.uuid()).max(1000) }),
  response: emptyReply,
});

/** The users that a new partner is to be tried with. They travel sealed, since nobody may read their passwords. */
export const demoUsers = z.array(z.object({ loginUserId: z.string(), password: z.string() })).max(3);
export type DemoUsers = z.output<typeof demoUsers>;

/** What they are sealed for: they open for no other partner. */
export const demoUsersSeal = (partnerId: number): string => `demo users of ${partnerId}`;

/** The company admin of a partner that signs up. They travel sealed, since the event names a person. */
export const signedUpAdmin = z.object({
  name: z.string(),
  email: z.string(),
  /** Null: they choose a password by a link, or sign in by another way. */
  passwordHash: z.string().nullable(),
  /** Their account at an identity provider, sealed by the identity service for itself. */
  identity: z.string().nullable(),
});
export type SignedUpAdmin = z.output<typeof signedUpAdmin>;

/** What they are sealed for. */
export const signedUpAdminSeal = (partnerId: number): string => `company admin of ${partnerId}`;

export const findRecipients = route({
  id: 'findRecipients',
  service: 'user',
  method: 'POST',
  path: '/internal/recipients/find',
  summary: 'The groups and users among those asked for that a partner has.',
  access: { kind: 'internal', callers: ['push', 'sso'] },
  logged: false,
  body: z.object({
    partnerId: id,
    groupIds: z.array(id).max(limits.maxGroupsPerRequest),
    userIds: z.array(id).max(pushLimits.maxUsers),
  }),
  response: z.object({ groups: z.array(groupCreated.data), users: z.array(userCreated.data) }),
});

export const findPushSending = route({
  id: 'findPushSending',
  service: 'push',
  method: 'POST',
  path: '/internal/pushes/sending',
  summary:
    'Whether push notifications of a tenant can be sent: it has a certificate of its own, or the operator has one.',
  access: { kind: 'internal', callers: ['file'] },
  logged: false,
  body: z.object({ partnerId: id }),
  response: z.object({ sends: z.boolean() }),
});

/** What a push token is sealed for: its number is no other's. */
export const pushTokenSeal = (number: number): string => `push token ${number}`;

/** Whose address is proved: by a link that somebody followed who chose a password. */
export const confirmSignUp = route({
  id: 'confirmSignUp',
  service: 'tenant',
  method: 'POST',
  path: '/internal/sign-ups/confirm',
  summary:
    'Activates a partner that signed up with this address, or whose admin proves it, if it waits for that.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  body: z.object({
    partnerId: id,
    email: text(254),
    /** The link is of the company admin whom the sign-up made, whose address may have been corrected since. */
    ofSignedUpAdmin: z.boolean().optional(),
  }),
  response: emptyReply,
});

/** Somebody whose address an identity provider has proved signs a company up. */
export const signUpWithIdentity = route({
  id: 'signUpWithIdentity',
  service: 'tenant',
  method: 'POST',
  path: '/internal/sign-ups',
  summary: 'Opens a free company that is usable at once.',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  body: signUpFields.extend({
    language: z.enum(languages),
    /** The account at the provider, sealed by the identity service for itself. */
    identity: z.string(),
  }),
  status: 201,
  response: z.object({ id: z.number().int(), partnerCode: z.string() }),
  errors: [...signUpErrors, 'E40311'],
});

/** A mail that a service asks for. It travels sealed, since it names a person and may hold a token. */
export const mailContent = z.intersection(
  z.object({
    to: z.string(),
    name: z.string(),
    /** Null: the language of the tenant. */
    language: z.enum(languages).nullable(),
  }),
  z.discriminatedUnion('template', [
    z.object({
      template: z.literal('passwordReset'),
      area: z.enum(['admin', 'partner', 'user']),
      token: z.string(),
    }),
    z.object({ template: z.literal('passwordInit'), token: z.string() }),
    /** Of who signed a company up without a password, to choose one. */
    z.object({ template: z.literal('signUpPassword'), token: z.string() }),
    /** Of who signed a company up for a trial. */
    z.object({ template: z.literal('signUpActivation'), token: z.string(), partnerCode: z.string() }),
    z.object({ template: z.literal('passwordChanged') }),
    z.object({ template: z.literal('twoFactorOn') }),
    z.object({ template: z.literal('twoFactorOff') }),
    /** By another. */
    z.object({ template: z.literal('twoFactorRemoved') }),
    z.object({ template: z.literal('fileDelivered'), fileName: z.string() }),
    /** A change of what people get waits for an admin; the name is null where no file is concerned. */
    z.object({
      template: z.literal('approvalRequested'),
      approvalId: z.number().int(),
      fileName: z.string().nullable(),
      by: z.string(),
    }),
    /** The stages of a version were halted; `byHand`: by somebody, rather than by the limit of its failures. */
    z.object({
      template: z.literal('rolloutHalted'),
      /** Whether it is of an application, and goes to those who publish it. */
      ofApplication: z.boolean().optional(),
      fileId: z.number().int(),
      fileName: z.string(),
      version: z.number().int(),
      reports: z.number().int(),
      failures: z.number().int(),
      byHand: z.boolean(),
    }),
    z.object({
      template: z.literal('licenceEnding'),
      company: z.string(),
      licenseExpiredOn: z.iso.datetime(),
      days: z.number().int(),
      /** Of the times in the mail. */
      timeZone: z.string(),
    }),
    z.object({
      template: z.literal('newDevice'),
      at: z.iso.datetime(),
      /** What it is, as far as it says; null for what it does not say. */
      browser: z.string().nullable(),
      system: z.string().nullable(),
      address: z.string(),
    }),
  ]),
);
export type MailContent = z.output<typeof mailContent>;
