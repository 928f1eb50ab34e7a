import { z } from 'zod';
import { dateTimeText, id, pageNumber, pageReply, pageSize, text } from '../core/fields.ts';
import { route } from '../core/route.ts';
import { verbatim } from '../core/wire.ts';

/** What players ask: the files that are delivered to them, and what the settings of a package look like. */

const deliveredFile = z.object({
  id: z.number().int(),
  name: z.string(),
  note: z.string(),
  fileName: z.string(),
  fileSize: z.number().int(),
  sha256: z.string(),
  version: z.number().int(),
  iconSignedUrl: z.string().nullable(),
  deliveredAt: dateTimeText,
  updatedAt: dateTimeText,
  downloadAfter: z
    .number()
    .int()
    .describe(
      'Seconds that a player waits before it downloads a version that many get at once, the same for a device and version; else 0',
    ),
});

export const listDelivered = route({
  id: 'listDelivered',
  service: 'file',
  method: 'GET',
  path: '/v1/user/files',
  summary:
    'The files that are delivered to the caller now; with `since`, only the changes. While `total_page` is above 1, ' +
    'continue with `since` set to the cursor of the answer, so that you miss no change meanwhile.',
  access: { kind: 'player' },
  query: z.object({
    page: pageNumber,
    perPage: pageSize,
    since: text(256).optional(),
  }),
  response: pageReply.extend({
    files: z.array(deliveredFile),
    removedIds: z.array(z.number().int()),
    cursor: z.string(),
  }),
});

export const getDelivered = route({
  id: 'getDelivered',
  service: 'file',
  method: 'GET',
  path: '/v1/user/files/:id',
  summary:
    'One delivered file with a signed address of its bytes. The address becomes invalid with the session, with the delivery, ' +
    'and after a while by itself: request a new one and continue by range.',
  access: { kind: 'player' },
  params: z.object({ id }),
  response: deliveredFile.extend({ signedUrl: z.string() }),
  errors: ['E40405'],
});

export const templateNames = ['application.json', 'project.json'] as const;
export type TemplateName = (typeof templateNames)[number];

export const getTemplate = route({
  id: 'getTemplate',
  service: 'file',
  method: 'GET',
  path: '/storage/templates/:name',
  summary:
    'What the settings of a package look like, for players and build tools: of an app package (`application.json`) or of a ' +
    'project package (`project.json`).',
  access: { kind: 'public' },
  tries: 'none',
  params: z.object({ name: z.enum(templateNames) }),
  response: verbatim(
    z.looseObject({}).describe('A JSON object, as `TEMPLATES_URL` or the product itself has it'),
  ),
});
