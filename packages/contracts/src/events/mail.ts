import { z } from 'zod';
import { defineEvent } from '../core/event.ts';

/** These events hold personal data and tokens, sealed for the mail service: they are not for integrators. */

const topic = 'portal.mail';
const mailId = z.string().describe('The id of the mail, and of the message that is sent');
const sealed = (what: string) => z.string().describe(`${what}; readable only by services of the portal`);
const exampleId = '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69';

export const mailRequested = defineEvent({
  type: 'mail.requested',
  topic,
  summary: 'A service requested a mail.',
  key: 'mailId',
  tenant: 'sometimes',
  data: z.object({
    mailId,
    sealed: sealed('The text and the recipient'),
    bulk: z
      .boolean()
      .optional()
      .describe('True if it may be one of very many; mails that people wait for are sent first'),
  }),
  example: { mailId: exampleId, sealed: 'c2VhbGVk' },
});

export const mailSent = defineEvent({
  type: 'mail.sent',
  topic,
  summary: 'The mail server accepted a mail.',
  key: 'mailId',
  tenant: 'sometimes',
  data: z.object({ mailId }),
  example: { mailId: exampleId },
});

export const bounceKinds = ['permanent', 'temporary'] as const;

export const mailBounced = defineEvent({
  type: 'mail.bounced',
  topic,
  summary: 'A mail could not be delivered.',
  key: 'mailId',
  tenant: 'sometimes',
  data: z.object({
    mailId,
    kind: z
      .enum(bounceKinds)
      .describe('`permanent`: it was refused; `temporary`: it could not be delivered for a day'),
    sealed: sealed('The address and the reason'),
  }),
  example: { mailId: exampleId, kind: 'permanent', sealed: 'c2VhbGVk' },
});
