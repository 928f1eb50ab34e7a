import { z } from 'zod';
import { dateTimeText, text } from '../core/fields.ts';
import { route } from '../core/route.ts';

export const devMailbox = route({
  id: 'devMailbox',
  service: 'mail',
  method: 'GET',
  path: '/dev/mailbox',
  summary:
    'The mails of a demo installation without a mail server, newest first; for a browser, as a page. Otherwise not found.',
  access: { kind: 'public' },
  tries: 'none',
  query: z.object({ to: text(254).optional().describe('Only mails to this address') }),
  response: z.object({
    mails: z.array(
      z.object({
        to: z.string(),
        from: z.string(),
        subject: z.string(),
        text: z.string(),
        html: z.string(),
        sentAt: dateTimeText,
      }),
    ),
  }),
  errors: ['E40401'],
});
