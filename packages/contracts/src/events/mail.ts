import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { limits } from '../core/limits.ts';

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
  }),
  example: { mailId: exampleId, sealed: 'c2VhbGVk' },
});

export const mailsRequested = defineEvent({
  type: 'mails.requested',
  topic,
  late: true,
  summary: 'A service requested mails, perhaps very many of them; those that people wait for are sent first.',
  key: 'requestId',
  tenant: 'sometimes',
  data: z.object({
    requestId: z.string().describe('The id of the request'),
    mails: z
      .array(z.object({ mailId, sealed: sealed('The text and the recipient') }))
      .min(1)
      .max(limits.mailsOfEvent),
  }),
  example: { requestId: exampleId, mails: [{ mailId: exampleId, sealed: 'c2VhbGVk' }] },
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
