import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText } from '../core/fields.ts';
import { operationTargets } from '../operations/target.ts';

export const operationLogged = defineEvent({
  type: 'operation.logged',
  topic: 'portal.operations',
  summary: 'Somebody changed something, signed in or exported, successfully or not.',
  key: 'requestId',
  late: true,
  tenant: 'sometimes',
  data: z.object({
    requestId: z.string(),
    accountKind: z.enum(['admin', 'account']).nullable().describe('Null if nobody is known'),
    accountId: z
      .number()
      .int()
      .nullable()
      .describe('If nobody was signed in: the account concerned, for example of a refused sign-in'),
    role: z.number().int().nullable().describe('The sum of the role bits'),
    unitId: z
      .number()
      .int()
      .optional()
      .describe('The unit of a unit administrator; the administrators of that unit see the entry'),
    address: z.string().describe('The network address of the caller'),
    agent: z.string().describe('The client, as it names itself'),
    operation: z.string().meta({ description: "The route's name" }),
    target: z.string().meta({
      description:
        'The path without its query; `?ids=` adds further records that the call concerns, `?id=` the record that it created',
    }),
    targetKind: z
      .enum(operationTargets)
      .nullable()
      .optional()
      .describe('What kind of record the operation concerns'),
    targetIds: z
      .array(z.number().int())
      .optional()
      .describe('The ids of those records, as far as they are known: at most 1,000'),
    targetName: z.string().nullable().optional().describe('The name of the one record, as it was then'),
    login: z.string().optional().describe('What somebody unknown typed to sign in with'),
    result: z.string().meta({ description: 'The HTTP status, or the error code' }),
    at: dateTimeText,
    supersedes: z
      .string()
      .optional()
      .describe('The id of the event that reported the same operation before its result was known'),
  }),
  example: {
    requestId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    accountKind: 'account',
    accountId: 1,
    role: 268_435_456,
    address: '127.0.0.1',
    agent: 'portal-web/0.1.0',
    operation: 'createGroup',
    target: '/v1/partner/partners/1/groups?id=3',
    targetKind: 'group',
    targetIds: [3],
    targetName: 'Sales',
    result: '201',
    at: '2026-11-21T09:00:00Z',
  },
});
