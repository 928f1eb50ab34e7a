import { z } from 'zod';
import {
  bodyId,
  dateTime,
  dateTimeText,
  email,
  emptyReply,
  exportedIds,
  groupRole,
  id,
  idListText,
  idName,
  idReply,
  jsonText,
  listQuery,
  loginUserId,
  newPassword,
  oneLine,
  pageReply,
  queryFlag,
  requiredLine,
  requiredText,
  searchText,
  text,
  timeZone,
  timeZoneName,
  userRole,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { bytesOut } from '../core/media.ts';
import { pushLimits, pushServices } from '../core/push.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { selection } from '../core/selection.ts';

export * from './user-imports.ts';

const { admin, developer, pushApi } = userRoleBits;

const readPeople = { kind: 'partner', roles: admin | developer | pushApi, api: 'group' } as const;
/** Administrators read them too. */
const readGroups = [readPeople, { kind: 'admin', roles: adminRoleBits.groupAdministration }] as const;
const readUsers = [readPeople, { kind: 'admin', roles: adminRoleBits.userAdministration }] as const;
const writePeople = { kind: 'partner', roles: admin, api: 'group' } as const;

const partnerParams = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });

const idList = z.object({ ids: z.array(bodyId).min(1).max(limits.maxIdsPerDelete) });

// Groups

const groupRow = z.object({
  id: z.number().int(),
  name: z.string(),
  note: z.string(),
  role: z.number().int(),
  userCount: z.number().int(),
  fileCount: z.number().int().describe('Files that are delivered to it'),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

export const groupOrderKeys = ['id', 'name', 'role', 'createdAt', 'updatedAt'] as const;

/** What the list of groups is filtered by. `excludeIds` is a comma-joined list of ids; the group of everyone (0) is never listed. */
export const groupFilters = z.object({
  q: searchText.optional(),
  name: text(255).optional(),
  excludeIds: idListText.optional(),
});

export const listGroups = route({
  id: 'listGroups',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/groups',
  summary: 'The groups of the tenant.',
  access: readGroups,
  params: partnerParams,
  query: listQuery(groupOrderKeys).extend({ all: queryFlag.optional(), ...groupFilters.shape }),
  response: z.union([
    pageReply.extend({ groups: z.array(groupRow) }),
    z.object({ groups: z.array(idName.extend({ role: z.number().int() })) }),
  ]),
});

/** What a person who makes a group may say of it. */
export const groupFields = z.object({
  name: requiredLine(limits.nameMaxLength),
  note: text(limits.noteMaxLength).nullable().optional(),
  role: groupRole.optional(),
});

export const createGroup = route({
  id: 'createGroup',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/groups',
  summary: 'Creates a group.',
  access: writePeople,
  params: partnerParams,
  body: groupFields,
  status: 201,
  response: idReply,
  errors: ['E40029'],
});

export const getGroup = route({
  id: 'getGroup',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/groups/:id',
  summary: 'One group.',
  access: readGroups,
  params: recordParams,
  response: groupRow,
  errors: ['E40404'],
});

export const updateGroup = route({
  id: 'updateGroup',
  service: 'user',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/groups/:id',
  summary: 'Changes a group; an absent field stays unchanged.',
  access: writePeople,
  params: recordParams,
  body: groupFields.partial(),
  response: emptyReply,
  errors: ['E40029', 'E40404'],
});

export const deleteGroup = route({
  id: 'deleteGroup',
  service: 'user',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/groups/:id',
  summary: 'Deletes a group that has neither users nor files.',
  access: writePeople,
  params: recordParams,
  response: emptyReply,
  errors: ['E40027', 'E40028', 'E40404'],
});

export const deleteGroups = route({
  id: 'deleteGroups',
  service: 'user',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/groups',
  summary: 'Deletes groups that have neither users nor files, all or none.',
  access: writePeople,
  params: partnerParams,
  body: selection(groupFilters, {}),
  response: emptyReply,
  errors: ['E40027', 'E40028', 'E40034', 'E40404'],
});

export const addGroupUsers = route({
  id: 'addGroupUsers',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/groups/:id/users',
  summary: 'Adds users to a group, all or none. Existing members stay.',
  access: writePeople,
  params: recordParams,
  body: idList,
  response: emptyReply,
  errors: ['E40403', 'E40404'],
});

export const removeGroupUsers = route({
  id: 'removeGroupUsers',
  service: 'user',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/groups/:id/users',
  summary: 'Removes users from a group, all or none. Users who are not members are ignored.',
  access: writePeople,
  params: recordParams,
  body: idList,
  response: emptyReply,
  errors: ['E40403', 'E40404'],
});

export const exportGroups = route({
  id: 'exportGroups',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/groups/csv',
  summary: 'groups.csv with the filters of the list, streamed.',
  access: readPeople,
  logged: true,
  params: partnerParams,
  query: z.object({ tz: timeZone, ...groupFilters.shape, ids: exportedIds }),
  response: bytesOut('text/csv'),
});

// Users

const platform = z.object({
  uuid: z.string(),
  name: z.string(),
  osType: z.string(),
  osVersion: z.string(),
  playerVersion: z.string(),
  pushService: z
    .enum(pushServices)
    .nullable()
    .describe('By which service push notifications reach it; null: it cannot be reached'),
  createdAt: dateTimeText,
  lastLoginAt: dateTimeText.nullable(),
});

const userRow = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  loginUserId: z.string().nullable(),
  role: z.number().int(),
  json: z.string().nullable(),
  groups: z.array(idName),
  maxDeviceCountLimitedFlag: z.boolean(),
  maxDeviceCount: z.number().int(),
  platforms: z.array(platform),
  twoFactor: z.boolean().describe('They sign in to the portal with two factors'),
  passwordSet: z.boolean().describe('They have a password; not so people who sign in by SSO alone'),
  active: z
    .boolean()
    .describe('False once provisioning has made them inactive: they cannot sign in and take no licence'),
  setupMailSentAt: dateTimeText
    .nullable()
    .describe('When the last mail to choose a first password was sent; null without one'),
  lastLoginAt: dateTimeText.nullable(),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

export const userOrderKeys = ['id', 'name', 'email', 'loginUserId', 'createdAt', 'lastLoginAt'] as const;

export const passwordStates = ['none', 'set'] as const;

export const userStates = ['active', 'inactive'] as const;

/** What the list of users is filtered by, and whatever is of the same people: an export, or a change of many. */
export const userFilters = z.object({
  q: searchText.optional(),
  name: text(255).optional(),
  id: id.optional(),
  loginId: text(254).optional(),
  osType: text(32).optional(),
  osVersion: text(64).optional(),
  playerVersion: text(64).optional(),
  group: id.optional(),
  groupUnset: queryFlag.optional(),
  passwordState: z.enum(passwordStates).optional(),
  state: z.enum(userStates).optional().describe('Whether provisioning has made them inactive'),
  createdAtStart: dateTime.optional(),
  createdAtEnd: dateTime.optional(),
  loginAtStart: dateTime.optional(),
  loginAtEnd: dateTime.optional(),
});

/** What an export of users is narrowed to. */
export const userExportFilters = userFilters.extend({ ids: exportedIds });

export const listUsers = route({
  id: 'listUsers',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users',
  summary: 'The users of the tenant.',
  access: readUsers,
  params: partnerParams,
  query: listQuery(userOrderKeys).extend(userFilters.shape),
  response: pageReply.extend({ users: z.array(userRow) }),
});

export const usersOverview = route({
  id: 'usersOverview',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/overview',
  summary: 'How many users there are, how many have no password yet, and who signed in last.',
  access: readPeople,
  params: partnerParams,
  query: z.object({ tz: timeZoneName }),
  response: z.object({
    total: z.number().int(),
    withoutPassword: z.number().int(),
    lastSignIns: z
      .array(idName.extend({ at: dateTimeText }))
      .describe('The last five people who signed in, to the portal or a player, the last one first'),
  }),
});

export const countAudience = route({
  id: 'countAudience',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/audience',
  summary: 'How many users are in any of the groups, each counted once, and how many devices they have.',
  access: readPeople,
  logged: false,
  params: partnerParams,
  body: z.object({
    groupIds: z.array(bodyId).max(limits.maxGroupsPerRequest).describe('0 is everyone'),
  }),
  response: z.object({ users: z.number().int(), devices: z.number().int() }),
  errors: ['E40404'],
});

/** What a person who makes a user may say of them. */
export const userFields = z.object({
  name: requiredLine(limits.nameMaxLength),
  json: jsonText.nullable().optional(),
  groupIds: z.array(bodyId).max(limits.maxGroupsPerRequest).nullable().optional(),
  email: email.nullable().optional(),
  loginUserId: loginUserId.nullable().optional(),
  /** Empty is absent, as forms send it. */
  password: z
    .union([z.literal(''), newPassword])
    .nullable()
    .optional(),
  role: userRole.optional(),
  maxDeviceCountLimitedFlag: z.boolean().optional(),
  maxDeviceCount: z.number().int().min(0).max(limits.maxDeviceCount).optional(),
});

export const createUser = route({
  id: 'createUser',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/users',
  summary: 'Creates a user, who signs in with an e-mail address or a login user id.',
  access: writePeople,
  params: partnerParams,
  body: userFields,
  status: 201,
  response: idReply,
  errors: ['E40006', 'E40007', 'E40008', 'E40029', 'E40404'],
});

export const getUser = route({
  id: 'getUser',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/:id',
  summary: 'One user with their devices.',
  access: readUsers,
  params: recordParams,
  response: userRow,
  errors: ['E40403'],
});

export const updateUser = route({
  id: 'updateUser',
  service: 'user',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/users/:id',
  summary: 'Changes a user; an absent field stays unchanged. `platform_uuids` lists the devices to keep.',
  access: writePeople,
  params: recordParams,
  body: userFields
    .partial()
    .extend({ platformUuids: z.array(requiredText(64)).max(10_000).nullable().optional() }),
  response: emptyReply,
  errors: ['E40007', 'E40009', 'E40029', 'E40031', 'E40403', 'E40404'],
});

export const deleteUsers = route({
  id: 'deleteUsers',
  service: 'user',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/users',
  summary: 'Deletes users, all or none.',
  access: writePeople,
  params: partnerParams,
  body: selection(userFilters, {}),
  response: emptyReply,
  errors: ['E40031', 'E40034', 'E40403'],
});

const groupIdList = z.array(bodyId).max(limits.maxGroupsPerRequest).optional();

export const changeUsersGroups = route({
  id: 'changeUsersGroups',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/users/groups',
  summary: 'Puts users into groups and takes them out of others, all or none.',
  access: writePeople,
  params: partnerParams,
  body: selection(userFilters, { add: groupIdList, remove: groupIdList }).superRefine(
    ({ add = [], remove = [] }, context) => {
      if (add.length + remove.length === 0) {
        context.addIssue({ code: 'custom', path: ['add'], message: 'addOrRemove' });
      } else if (add.some((id) => remove.includes(id))) {
        context.addIssue({ code: 'custom', path: ['remove'], message: 'addedAndRemoved' });
      }
    },
  ),
  response: z.object({ count: z.number().int().describe('The users who are selected, changed or not') }),
  errors: ['E40034', 'E40403', 'E40404'],
});

export const sendSetupMails = route({
  id: 'sendSetupMails',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/users/setup_mails',
  summary:
    'Mails users with an e-mail address and no password a new link to choose one. Others are skipped, and who was sent ' +
    `${limits.resetMailsPerHour} such mails within the hour.`,
  access: writePeople,
  params: partnerParams,
  body: selection(userFilters, {}),
  response: z.object({ count: z.number().int(), skipped: z.number().int() }),
  errors: ['E40034', 'E40403'],
});

// Devices

export const updatePlatform = route({
  id: 'updatePlatform',
  service: 'user',
  method: 'PUT',
  path: '/v1/user/platforms/:uuid',
  summary: "Updates the data of the player's own device.",
  access: { kind: 'player' },
  params: z.object({ uuid: requiredText(64) }),
  body: z
    .object({
      name: oneLine(255).optional(),
      osType: oneLine(32).optional(),
      osVersion: oneLine(64).optional(),
      playerVersion: oneLine(64).optional(),
      pushToken: requiredLine(pushLimits.tokenMaxLength)
        .nullable()
        .optional()
        .describe(
          'Under which the push service named reaches this device, and no other any more; null: it is not reached any more',
        ),
      pushService: z.enum(pushServices).nullable().optional(),
    })
    .superRefine(({ pushService = null, pushToken = null }, context) => {
      if ((pushToken === null) === (pushService === null)) return;
      const missing = pushToken === null ? 'pushToken' : 'pushService';
      context.addIssue({ code: 'custom', path: [missing], message: 'required' });
    }),
  response: emptyReply,
});
