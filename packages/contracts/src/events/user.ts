import { z } from 'zod';
import { defineEvent, type EventDefinition } from '../core/event.ts';
import { revision } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { pushServices } from '../core/push.ts';

const id = z.number().int();
const topic = 'portal.user';

const roleOfGroup = z.number().int().describe('The role bits of the group');
const group = z.object({ groupId: id, revision, name: z.string(), note: z.string(), role: roleOfGroup });
const groupExample = { groupId: 3, revision: 1, name: 'Sales', note: '', role: 0 };

/** A person of a tenant. */
const user = z.object({
  userId: id,
  revision,
  name: z.string(),
  email: z.string().nullable(),
  loginUserId: z.string().nullable().describe('The sign-in name of a user without an e-mail address'),
  role: z.number().int().describe('The sum of the role bits'),
  isUser: z.boolean().describe('False for company admins who are not users: they need no licence'),
  active: z
    .literal(false)
    .optional()
    .describe('They are inactive: they cannot sign in, have no devices and need no licence'),
  groupIds: z.array(id).describe('All groups of the user'),
  hasPassword: z
    .boolean()
    .optional()
    .describe('False until a user with an e-mail address has chosen one, for which they get a mail'),
  setupMail: z
    .literal(false)
    .optional()
    .describe('An import has made them without that mail: a company admin sends it later'),
  signUp: z
    .object({
      identity: z
        .string()
        .nullable()
        .describe(
          'The account at an identity provider with which they signed up; readable only by the identity service. Null: they chose the portal’s own sign-in',
        ),
    })
    .optional()
    .describe('With `user.created` alone: they have signed their company up'),
});
const userExample = {
  userId: 12,
  revision: 1,
  name: 'Taro',
  email: null,
  loginUserId: 'taro',
  role: 0,
  isUser: true,
  groupIds: [3],
  hasPassword: true,
};

const pushNumber = z
  .number()
  .int()
  .describe(
    'Grows each time that any device tells a push token or loses its own: what has a lower one is older',
  );

const device = z.object({
  userId: id,
  uuid: z.string(),
  name: z.string(),
  osType: z.string(),
  osVersion: z.string(),
  playerVersion: z.string(),
});

export const groupCreated = defineEvent({
  type: 'group.created',
  topic,
  summary: 'A group was created.',
  key: 'groupId',
  tenant: 'always',
  data: group,
  example: groupExample,
});

export const groupUpdated = defineEvent({
  type: 'group.updated',
  topic,
  summary: 'A group was changed.',
  key: 'groupId',
  tenant: 'always',
  data: group,
  example: { ...groupExample, revision: 2 },
});

export const groupDeleted = defineEvent({
  type: 'group.deleted',
  topic,
  summary: 'A group was deleted.',
  key: 'groupId',
  tenant: 'always',
  data: z.object({ groupId: id }),
  example: { groupId: 3 },
});

export const userCreated = defineEvent({
  type: 'user.created',
  topic,
  summary: 'A user of a tenant was created.',
  key: 'userId',
  tenant: 'always',
  data: user,
  example: userExample,
});

export const userUpdated = defineEvent({
  type: 'user.updated',
  topic,
  summary: 'A user of a tenant was changed.',
  key: 'userId',
  tenant: 'always',
  data: user.extend({
    endsSessions: z
      .boolean()
      .describe(
        'Their password or role has changed, or they are inactive now, so they have to sign in again',
      ),
  }),
  example: { ...userExample, revision: 2, endsSessions: false },
});

export const userDeleted = defineEvent({
  type: 'user.deleted',
  topic,
  summary: 'A user of a tenant was deleted.',
  key: 'userId',
  tenant: 'always',
  data: z.object({ userId: id }),
  example: { userId: 12 },
});

/** Tells of many people of a tenant at once what `one` tells of each. */
const manyOf = <const T extends string, D extends z.ZodType>(
  type: T,
  { data, example, type: oneType }: EventDefinition<string, D>,
  change: string,
) =>
  defineEvent({
    type,
    topic,
    summary: `Many people of a tenant ${change} at once, as \`${oneType}\` tells of one: an import, or one call for several.`,
    key: 'partnerId',
    tenant: 'always',
    data: z.object({ partnerId: id, people: z.array(data).min(1).max(limits.peopleOfEvent) }),
    example: { partnerId: 1, people: [example] },
  });

export const usersCreated = manyOf('users.created', userCreated, 'came into being');
export const usersUpdated = manyOf('users.updated', userUpdated, 'were changed');
export const usersDeleted = manyOf('users.deleted', userDeleted, 'were deleted');

export const userSignedOut = defineEvent({
  type: 'user.signed_out',
  topic,
  urgent: true,
  summary:
    'A user of a tenant has to sign in again: they were deleted or made inactive, their password or role changed, or a device ' +
    'was removed.',
  key: 'userId',
  tenant: 'always',
  data: z.object({
    userId: id,
    generation: z
      .number()
      .int()
      .optional()
      .describe(
        'The number of their current password, role and state; sessions with this or a higher number continue. Absent if all sessions end',
      ),
    keptSessionId: z
      .string()
      .optional()
      .describe('The session that continues, because the change was made in it'),
    passwordChanged: z
      .boolean()
      .optional()
      .describe('Their password has changed: earlier links to choose one are invalid'),
    device: z
      .object({
        uuid: z.string(),
        registration: z.number().int().describe('Later registrations, which have higher numbers, continue'),
      })
      .optional()
      .describe('The device on which their sessions end; absent for all'),
  }),
  example: { userId: 12, generation: 3, passwordChanged: true },
});

export const usersSignedOut = defineEvent({
  type: 'users.signed_out',
  topic,
  urgent: true,
  summary:
    'Several users of a tenant have to sign in again (see `user.signed_out`): an import deleted them or changed their passwords.',
  key: 'importId',
  tenant: 'always',
  data: z.object({
    importId: id,
    people: z.array(
      userSignedOut.data.pick({
        userId: true,
        generation: true,
        keptSessionId: true,
        passwordChanged: true,
      }),
    ),
  }),
  example: { importId: 7, people: [{ userId: 12, generation: 3, passwordChanged: true }, { userId: 13 }] },
});

export const usersTold = defineEvent({
  type: 'users.told',
  topic,
  summary:
    'People of a tenant as they are, with no change, after an upgrade: for a service that keeps them only since then.',
  key: 'partnerId',
  tenant: 'always',
  data: usersCreated.data,
  example: usersCreated.example,
});

export const setupMailsRequested = defineEvent({
  type: 'setup_mails.requested',
  topic,
  summary: 'People without a password are to be mailed a new link to choose one.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    people: z
      .array(
        z.object({
          userId: id,
          name: z.string(),
          email: z.string(),
          generation: z.number().int().describe('The number of their current password and role'),
        }),
      )
      .min(1)
      .max(limits.peopleOfEvent),
  }),
  example: {
    partnerId: 1,
    people: [{ userId: 12, name: 'Taro', email: 'taro@example.com', generation: 0 }],
  },
});

export const usersImported = defineEvent({
  type: 'users.imported',
  topic,
  summary:
    'An import of users was applied; `users.created`, `users.updated` and `users.deleted` told of its people before.',
  key: 'importId',
  tenant: 'always',
  data: z.object({
    importId: id,
    createCount: z.number().int(),
    updateCount: z.number().int(),
    deleteCount: z.number().int(),
  }),
  example: { importId: 7, createCount: 480, updateCount: 15, deleteCount: 5 },
});

export const importEnded = defineEvent({
  type: 'import.ended',
  topic,
  summary: 'An import of users is over: it was applied, or nothing was changed.',
  key: 'importId',
  tenant: 'always',
  data: z.object({
    importId: id,
    openedBy: id.nullable().describe('The account that began it; null for one from before this was kept'),
    result: z
      .enum(['applied', 'refused', 'failed'])
      .describe(
        '`applied`: it was done; `refused`: lines are wrong, and nothing was changed; `failed`: the file cannot be read, or the work on it failed',
      ),
    createCount: z.number().int(),
    updateCount: z.number().int(),
    deleteCount: z.number().int(),
    errorCount: z.number().int().describe('Lines that are wrong, as far as they were counted'),
  }),
  example: {
    importId: 7,
    openedBy: 12,
    result: 'applied',
    createCount: 480,
    updateCount: 15,
    deleteCount: 5,
    errorCount: 0,
  },
});

export const deviceRegistered = defineEvent({
  type: 'device.registered',
  topic,
  summary: 'A device signed in for the first time.',
  key: 'uuid',
  tenant: 'always',
  data: device,
  example: {
    userId: 12,
    uuid: 'a3c5e7',
    name: 'iPad of Taro',
    osType: 'ios',
    osVersion: '19.1',
    playerVersion: '5.0.0',
  },
});

export const deviceUpdated = defineEvent({
  type: 'device.updated',
  topic,
  summary: 'A device signed in again and describes itself otherwise than before, or was given another name.',
  key: 'uuid',
  tenant: 'always',
  data: device,
  example: {
    userId: 12,
    uuid: 'a3c5e7',
    name: 'iPad of Taro',
    osType: 'ios',
    osVersion: '19.2',
    playerVersion: '5.0.1',
  },
});

export const deviceRemoved = defineEvent({
  type: 'device.removed',
  topic,
  summary: 'A device was removed from its user.',
  key: 'uuid',
  tenant: 'always',
  data: z.object({
    userId: id,
    uuid: z.string(),
    registration: z
      .number()
      .int()
      .optional()
      .describe(
        'The registration that has ended; later ones have higher numbers. Absent if the user was deleted',
      ),
    pushPassedTo: z
      .object({ userId: id, registration: z.number().int(), number: pushNumber })
      .optional()
      .describe('Who has signed in on it instead, with its push token; absent where it had none'),
  }),
  example: { userId: 12, uuid: 'a3c5e7', registration: 34 },
});

export const devicePushChanged = defineEvent({
  type: 'device.push_changed',
  topic,
  summary: 'A device told its push token, or is not reached by push notifications any more.',
  key: 'uuid',
  tenant: 'always',
  data: z.object({
    userId: id,
    uuid: z.string(),
    registration: z.number().int().describe('Which registration of the device it is'),
    number: pushNumber,
    service: z.enum(pushServices).nullable(),
    sealed: z
      .string()
      .nullable()
      .describe(
        'The push token; readable only by the push service of the portal. Null: it has none any more',
      ),
  }),
  example: {
    userId: 12,
    uuid: 'a3c5e7',
    registration: 34,
    number: 56,
    service: 'apns',
    sealed: 'c2VhbGVk',
  },
});

export const licenceHoldAnswered = defineEvent({
  type: 'licence_hold.answered',
  topic,
  urgent: true,
  summary:
    'Whether what a partner uses fits the licences that `licence_hold.asked` names. If so, no more is used until ' +
    '`licence_hold.ended`. Between services alone.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    holdId: z.uuid(),
    held: z.boolean(),
    inUse: z.number().int().describe('Users or devices that take a licence of the type asked for'),
  }),
  example: { partnerId: 1, holdId: '019363a0-0000-7000-8000-000000000000', held: true, inUse: 42 },
});
