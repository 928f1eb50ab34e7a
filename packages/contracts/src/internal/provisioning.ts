import { z } from 'zod';
import { dateTimeText, email, emptyReply, id, loginUserId, requiredLine, text } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { route } from '../core/route.ts';

/** What the sso service asks of the user service for a provisioning client (SCIM), so that the portal's own use cases run. */

export const provisioningLimits = {
  /** Resources of an answer. */
  maxCount: 200,
  externalIdMaxLength: 255,
  /** Comparisons, and what joins them, of one filter. */
  maxFilterSteps: 100,
  /** Members that one call puts in or takes out, or that one answer holds. */
  maxMembersOfChange: 10_000,
  maxMembersOfAnswer: 100_000,
} as const;

const { externalIdMaxLength, maxCount, maxFilterSteps, maxMembersOfChange } = provisioningLimits;

export const textOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export const orderOperators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
export const equalOperators = ['eq', 'ne'] as const;

const compared = z.string().max(1_000);

/** A comparison of one field; texts are compared without regard to case where `fold` is not false. */
const comparisons = [
  z.object({
    test: z.literal('text'),
    field: z.enum(['login', 'name', 'externalId', 'id']),
    operator: z.enum(textOperators),
    value: compared,
  }),
  z.object({
    test: z.literal('time'),
    field: z.enum(['createdAt', 'updatedAt']),
    operator: z.enum(orderOperators),
    value: z.iso.datetime({ offset: true }),
  }),
  z.object({ test: z.literal('active'), value: z.boolean() }),
  z.object({ test: z.literal('member'), userId: id }),
  z.object({ test: z.literal('present'), field: z.enum(['externalId', 'members']) }),
  z.object({ test: z.literal('always'), value: z.boolean() }),
] as const;

/**
 * A filter: its comparisons, each before what joins it with the one before (`and`, `or`) or turns it round (`not`). A list has no
 * depth, and its length is its cost.
 */
const filter = z
  .array(
    z.discriminatedUnion('test', [
      ...comparisons,
      z.object({ test: z.literal('and') }),
      z.object({ test: z.literal('or') }),
      z.object({ test: z.literal('not') }),
    ]),
  )
  .max(maxFilterSteps);
export type FilterStep = z.output<typeof filter>[number];

const internal = { kind: 'internal', callers: ['sso'] } as const;

const window = {
  partnerId: id,
  filter: filter.optional(),
  order: z.enum(['asc', 'desc']),
  skip: z.number().int().min(0).max(2_147_483_647),
  take: z.number().int().min(0).max(maxCount),
};

const externalId = text(externalIdMaxLength);
const login = z.union([email, loginUserId]);
const name = requiredLine(limits.nameMaxLength);
const version = z.string().max(64).optional();

const user = z.object({
  id: z.number().int(),
  /** Which state of the user it is: another one has another. */
  version: z.string(),
  name: z.string(),
  /** The e-mail address, or the login user id. */
  login: z.string(),
  externalId: z.string().nullable(),
  active: z.boolean(),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});
export type ProvisionedUser = z.output<typeof user>;

export const listProvisionedUsers = route({
  id: 'listProvisionedUsers',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/users/list',
  summary: 'The users of a tenant that a filter lets pass.',
  access: internal,
  logged: false,
  body: z.object({ ...window, orderBy: z.enum(['id', 'login', 'name', 'createdAt', 'updatedAt']) }),
  response: z.object({ totalCount: z.number().int(), users: z.array(user) }),
});

const ofUser = z.object({ partnerId: id, id });

export const getProvisionedUser = route({
  id: 'getProvisionedUser',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/users/find',
  summary: 'A user of a tenant.',
  access: internal,
  logged: false,
  body: ofUser,
  response: user,
  errors: ['E40403'],
});

export const createProvisionedUser = route({
  id: 'createProvisionedUser',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/users',
  summary:
    'Makes a user without a password, who takes a licence if they are active, and gets no mail to choose one.',
  access: internal,
  logged: false,
  body: z.object({
    partnerId: id,
    login,
    name,
    externalId: externalId.nullable(),
    active: z.boolean(),
  }),
  response: user,
  errors: ['E40008', 'E40029', 'E40402'],
});

export const changeProvisionedUser = route({
  id: 'changeProvisionedUser',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/users/change',
  summary:
    'Changes a user. Who becomes inactive is signed out everywhere, and frees their licence; who becomes active takes one.',
  access: internal,
  logged: false,
  body: ofUser.extend({
    /** The state that the caller has seen; another one is refused. */
    version,
    login: login.optional(),
    name: name.optional(),
    externalId: externalId.nullable().optional(),
    active: z.boolean().optional(),
  }),
  response: user,
  errors: ['E40008', 'E40009', 'E40029', 'E40031', 'E40034', 'E40403'],
});

export const deleteProvisionedUser = route({
  id: 'deleteProvisionedUser',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/users/delete',
  summary: 'Deletes a user.',
  access: internal,
  logged: false,
  body: ofUser.extend({ version }),
  response: emptyReply,
  errors: ['E40031', 'E40034', 'E40403'],
});

const group = z.object({
  id: z.number().int(),
  version: z.string(),
  name: z.string(),
  externalId: z.string().nullable(),
  /** The ids of its users, ascending; absent where they were not asked for. */
  memberIds: z.array(z.number().int()).optional(),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});
export type ProvisionedGroup = z.output<typeof group>;

/** Whether the answer names the members. */
const withMembers = z.boolean();
const memberIds = z.array(id).max(maxMembersOfChange);

export const listProvisionedGroups = route({
  id: 'listProvisionedGroups',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/groups/list',
  summary: 'The groups of a tenant that a filter lets pass.',
  access: internal,
  logged: false,
  body: z.object({ ...window, orderBy: z.enum(['id', 'name', 'createdAt', 'updatedAt']), withMembers }),
  response: z.object({ totalCount: z.number().int(), groups: z.array(group) }),
  errors: ['E40034'],
});

const ofGroup = z.object({ partnerId: id, id });

export const getProvisionedGroup = route({
  id: 'getProvisionedGroup',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/groups/find',
  summary: 'A group of a tenant.',
  access: internal,
  logged: false,
  body: ofGroup.extend({ withMembers }),
  response: group,
  errors: ['E40034', 'E40404'],
});

export const createProvisionedGroup = route({
  id: 'createProvisionedGroup',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/groups',
  summary: 'Makes a group with its users.',
  access: internal,
  logged: false,
  body: z.object({ partnerId: id, name, externalId: externalId.nullable(), memberIds, withMembers }),
  response: group,
  errors: ['E40029', 'E40034', 'E40402', 'E40403'],
});

export const changeProvisionedGroup = route({
  id: 'changeProvisionedGroup',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/groups/change',
  summary: 'Changes a group and who is in it, all or nothing.',
  access: internal,
  logged: false,
  body: ofGroup.extend({
    version,
    name: name.optional(),
    externalId: externalId.nullable().optional(),
    /** First all others than these go, then these come, then these go. */
    keepOnly: memberIds.optional(),
    add: memberIds.optional(),
    /** Who is not in it is passed over. */
    remove: memberIds.optional(),
    withMembers,
  }),
  response: group,
  errors: ['E40029', 'E40034', 'E40403', 'E40404'],
});

export const deleteProvisionedGroup = route({
  id: 'deleteProvisionedGroup',
  service: 'user',
  method: 'POST',
  path: '/internal/provisioning/groups/delete',
  summary: 'Takes the users out of a group and deletes it; one with files is refused.',
  access: internal,
  logged: false,
  body: ofGroup.extend({ version }),
  response: emptyReply,
  errors: ['E40028', 'E40034', 'E40404'],
});
