import { z } from 'zod';
import { defineEvent } from '../core/event.ts';

const id = z.number().int();
const topic = 'portal.user';

const roleOfGroup = z.number().int().describe('The role bits of the group');
const group = z.object({ groupId: id, name: z.string(), note: z.string(), role: roleOfGroup });
const groupExample = { groupId: 3, name: 'Sales', note: '', role: 0 };

/** A person of a tenant. */
const user = z.object({
  userId: id,
  name: z.string(),
  email: z.string().nullable(),
  loginUserId: z.string().nullable().describe('What people without an e-mail address sign in with'),
  role: z.number().int().describe('The sum of the role bits'),
  isUser: z.boolean().describe('False for company admins who are not users: they take no licence'),
  groupIds: z.array(id).describe('All groups of the person'),
  hasPassword: z
    .boolean()
    .optional()
    .describe('False until a person with an e-mail address has chosen one; they get a mail to do so'),
});
const userExample = {
  userId: 12,
  name: 'Taro',
  email: null,
  loginUserId: 'taro',
  role: 0,
  isUser: true,
  groupIds: [3],
  hasPassword: true,
};

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
  summary: 'A group came into being.',
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
  example: groupExample,
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
  summary: 'A person of a tenant came into being.',
  key: 'userId',
  tenant: 'always',
  data: user,
  example: userExample,
});

export const userUpdated = defineEvent({
  type: 'user.updated',
  topic,
  summary: 'A person of a tenant was changed.',
  key: 'userId',
  tenant: 'always',
  data: user.extend({
    endsSessions: z.boolean().describe('Their password or role has changed, so they have to sign in again'),
  }),
  example: { ...userExample, endsSessions: false },
});

export const userDeleted = defineEvent({
  type: 'user.deleted',
  topic,
  summary: 'A person of a tenant was deleted.',
  key: 'userId',
  tenant: 'always',
  data: z.object({ userId: id }),
  example: { userId: 12 },
});

export const userSignedOut = defineEvent({
  type: 'user.signed_out',
  topic,
  urgent: true,
  summary:
    'A person of a tenant has to sign in again: they are deleted, have another password or role, or lost a device.',
  key: 'userId',
  tenant: 'always',
  data: z.object({
    userId: id,
    generation: z
      .number()
      .int()
      .optional()
      .describe(
        'Which of their passwords and roles is in force; who signed in with it or a later one stays. Absent where all are over',
      ),
    keptSessionId: z
      .string()
      .optional()
      .describe('The session that goes on all the same, since the change was made in it'),
    passwordChanged: z
      .boolean()
      .optional()
      .describe('They have another password: links to choose one from before it are over'),
    device: z
      .object({
        uuid: z.string(),
        registration: z.number().int().describe('Later ones, which have higher numbers, go on'),
      })
      .optional()
      .describe('Where they are signed out; absent for everywhere'),
  }),
  example: { userId: 12, generation: 3, passwordChanged: true },
});

export const usersSignedOut = defineEvent({
  type: 'users.signed_out',
  topic,
  urgent: true,
  summary:
    'People of a tenant have to sign in again, as `user.signed_out` tells of one: an import deleted them or changed their passwords.',
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

export const usersImported = defineEvent({
  type: 'users.imported',
  topic,
  summary: 'An import of users was applied; each of them was told of by an event of its own before.',
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
        'Which registration of the device is over; later ones have higher numbers. Absent where its user is deleted',
      ),
  }),
  example: { userId: 12, uuid: 'a3c5e7', registration: 34 },
});
