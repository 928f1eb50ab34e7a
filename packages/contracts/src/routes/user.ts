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
  pageNumber,
  pageReply,
  pageSize,
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

// Import

const importQuery = z.object({ batchProcessId: id });

export const importPhases = ['waiting', 'reading', 'checking', 'hashing', 'applying'] as const;

export const getUserImport = route({
  id: 'getUserImport',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/csv/status',
  summary: 'The state of an import of users: its progress, its changes (made or planned), and its errors.',
  access: writePeople,
  params: partnerParams,
  query: importQuery,
  response: z.object({
    status: z
      .enum(['processing', 'checked', 'failed', 'complete'])
      .meta({ description: '`checked` only occurs with `preview`: the import waits until it is applied' }),
    phase: z.enum(importPhases).nullable(),
    progress: z.number().min(0).max(1).meta({ description: 'Progress of the phase' }),
    lineErrors: z
      .array(z.object({ line: z.number().int(), field: z.string(), code: z.string(), message: z.string() }))
      .meta({ description: `The first ${limits.importLinesShown}; \`csv/errors\` has all of them` }),
    errorCount: z.number().int(),
    moreErrors: z.boolean().meta({
      description: `More lines are wrong than the first ${limits.importLinesKept}; only those are stored and counted`,
    }),
    createUpdateCount: z.number().int().meta({ description: 'Rows that do not delete a user' }),
    createCount: z.number().int(),
    updateCount: z.number().int().meta({ description: 'Existing users that differ from their row' }),
    unchangedCount: z.number().int(),
    deleteCount: z.number().int(),
    mailCount: z.number().int().meta({
      description:
        'Created users who get a mail to choose their first password; 0 once it is applied without `send_mails`',
    }),
    unmailedCount: z.number().int().meta({
      description:
        'Created users who get none, because it was applied without `send_mails`; `setup_mails` sends them later',
    }),
    licences: z
      .object({
        needed: z.number().int().meta({ description: 'Created less deleted users, at least 0' }),
        left: z.number().int().meta({ description: 'Free now' }),
      })
      .nullable()
      .meta({ description: 'Null where users take no licence' }),
    failure: z
      .object({ message: z.string(), line: z.number().int().nullable() })
      .nullable()
      .meta({ description: 'The reason if the status is `failed`' }),
  }),
});

export const importChangeKinds = ['created', 'changed', 'deleted'] as const;

export const listUserImportChanges = route({
  id: 'listUserImportChanges',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/csv/changes',
  summary: 'Whom a checked or applied import creates, changes and deletes, by line.',
  access: writePeople,
  params: partnerParams,
  query: importQuery.extend({
    kind: z.enum(importChangeKinds).optional(),
    q: searchText.optional(),
    page: pageNumber,
    perPage: pageSize,
  }),
  response: pageReply.extend({
    changes: z.array(
      z.object({
        line: z.number().int(),
        kind: z.enum(importChangeKinds),
        id: z.number().int().nullable().meta({ description: 'Null until the user is created' }),
        name: z
          .string()
          .meta({ description: 'As it was before the import; of a created user as it becomes' }),
        loginId: z.string().meta({ description: 'The e-mail address or the login user id' }),
        fields: z
          .array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
          .meta({
            description:
              'What changes, as in the cells of the file: null is an empty one, and `before` of a created user. Of `password` ' +
              `both are null. After ${limits.importValueMaxLength} characters \`json\` is cut and ends with …`,
          }),
      }),
    ),
  }),
  errors: ['E40034'],
});

export const applyUserImport = route({
  id: 'applyUserImport',
  service: 'user',
  method: 'POST',
  path: '/v1/partner/partners/:pid/users/csv/apply',
  summary:
    'Applies an import with `preview` that is `checked`; its status shows the progress. If users have changed so that it ' +
    'would do anything else than `csv/changes` shows, it fails and does nothing.',
  access: writePeople,
  params: partnerParams,
  body: z.object({
    batchProcessId: bodyId,
    sendMails: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether created users are mailed a link to choose their first password' }),
    deleteCount: z.number().int().min(0).optional().meta({
      description:
        'Required if users are deleted: `delete_count` of the status. If it is another number, nothing is done',
    }),
  }),
  response: emptyReply,
  errors: ['E40034'],
});

export const cancelUserImport = route({
  id: 'cancelUserImport',
  service: 'user',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/users/csv',
  summary: 'Cancels an import that is not yet being applied; no user is changed.',
  access: writePeople,
  params: partnerParams,
  body: z.object({ batchProcessId: bodyId }),
  response: emptyReply,
  errors: ['E40034'],
});

export const exportUserImportErrors = route({
  id: 'exportUserImportErrors',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/csv/errors',
  summary: 'The bad lines of an import as CSV, streamed.',
  access: writePeople,
  params: partnerParams,
  query: importQuery,
  logged: true,
  response: bytesOut('text/csv'),
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
