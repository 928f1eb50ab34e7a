import { z } from 'zod';
import { dateTime, dateTimeText, id, pageSize, text } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { operationTargets } from '../operations/target.ts';

/** The operation log on the screen. Exports of it are in `batch.ts`. */

export const operationResults = ['ok', 'refused'] as const;

/** Names of routes, separated by commas. */
const operationNames = z
  .string()
  .regex(/^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49}$/)
  .transform((value) => value.split(','));

/** The entry after which a page begins: its time in milliseconds and its id. */
const position = z
  .string()
  .regex(/^\d{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .transform((value) => {
    const [at = '', eventId = ''] = value.split('_');
    return { at: new Date(Number(at)), eventId };
  })
  .meta({ description: 'The `next` of the page before' });

const query = z.object({
  start: dateTime.optional().describe('Only operations from this time on'),
  end: dateTime.optional().describe('Only operations before this time'),
  q: text(limits.searchMaxLength)
    .optional()
    .describe('In the name or the login of who it was, ignoring case'),
  operation: operationNames.optional().describe('Names of routes, separated by commas'),
  result: z.enum(operationResults).optional(),
  targetKind: z.enum(operationTargets).optional(),
  targetId: id.optional(),
  after: position.optional(),
  perPage: pageSize,
});

const nullableText = z.string().nullable();
const operation = z.object({
  id: z.string(),
  at: dateTimeText,
  who: z
    .object({
      kind: z.enum(['admin', 'user']).nullable(),
      id: z.number().int().nullable(),
      name: nullableText,
      login: nullableText.describe('What they sign in with; of somebody unknown, what was typed'),
    })
    .describe('If nobody was signed in: the account concerned'),
  role: z.number().int().nullable().describe('The sum of the role bits'),
  address: z.string(),
  agent: z.string(),
  operation: z.string().describe("The route's name"),
  text: z.string().describe("The operation and what became of it, in the caller's language"),
  target: z.object({
    kind: z.enum(operationTargets).nullable(),
    id: z.number().int().nullable().describe('Null if it concerns several, or if it is not known'),
    name: nullableText.describe('As it was then'),
  }),
  code: nullableText.describe('The error code; null if it succeeded'),
});

const reply = z.object({
  operationLogs: z.array(operation),
  next: nullableText.describe('The `after` of the next page; null at the end'),
});

export const listOperationLogs = route({
  id: 'listOperationLogs',
  service: 'batch',
  method: 'GET',
  path: '/v1/partner/partners/:pid/operation_logs',
  summary: 'The operations of the users of a tenant, newest first.',
  access: [
    { kind: 'partner', roles: userRoleBits.admin },
    { kind: 'admin', roles: adminRoleBits.partnerAdministration },
  ],
  params: z.object({ pid: id }),
  query,
  response: reply,
});

export const listAllOperationLogs = route({
  id: 'listAllOperationLogs',
  service: 'batch',
  method: 'GET',
  path: '/v1/admin/operation_logs',
  summary:
    "The operations of everyone, newest first; for a unit administrator, those of the unit's partners and administrators.",
  access: { kind: 'admin', roles: adminRoleBits.partnerAdministration },
  query,
  response: reply,
});
