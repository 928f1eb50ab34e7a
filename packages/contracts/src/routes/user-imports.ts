import { z } from 'zod';
import { bodyId, emptyReply, id, pageNumber, pageReply, pageSize, searchText } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { bytesOut } from '../core/media.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

/** A CSV of users that was uploaded: how far it is, what it changes, and that it is applied. */

const writePeople = { kind: 'partner', roles: userRoleBits.admin, api: 'group' } as const;
const partnerParams = z.object({ pid: id });

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
