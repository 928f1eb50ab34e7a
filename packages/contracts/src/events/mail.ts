import { z } from 'zod';
import { defineEvent } from '../core/event.ts';

/** These events hold personal data and tokens, sealed for the mail service: they are not for integrators. */

const topic = 'portal.mail';
const mailId = z.string().describe('Names the mail; the id of the message that is sent too');
const sealed = (what: string) => z.string().describe(`${what}, for services of the portal alone`);
const exampleId = '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69';

export const mailRequested = defineEvent({
  type: 'mail.requested',
  topic,
  summary: 'Somebody is to get a mail.',
  key: 'mailId',
  tenant: 'sometimes',
  data: z.object({
    mailId,
    sealed: sealed('What it says, and to whom'),
    bulk: z
      .boolean()
      .optional()
      .describe('Whether it may be one of very many: those that people wait for go first'),
  }),
  example: { mailId: exampleId, sealed: 'c2VhbGVk' },
});

export const mailSent = defineEvent({
  type: 'mail.sent',
  topic,
  summary: 'The mail server took a mail.',
  key: 'mailId',
  tenant: 'sometimes',
  data: z.object({ mailId }),
  example: { mailId: exampleId },
});

export const bounceKinds = ['permanent', 'temporary'] as const;

export const mailBounced = defineEvent({
  type: 'mail.bounced',
  topic,
  summary: 'A mail did not get through.',
  key: 'mailId',
  tenant: 'sometimes',
  data: z.object({
    mailId,
    kind: z
      .enum(bounceKinds)
      .describe('`permanent`: it was refused; `temporary`: it was tried for a day in vain'),
    sealed: sealed('The address and the reason'),
  }),
  example: { mailId: exampleId, kind: 'permanent', sealed: 'c2VhbGVk' },
});
