import { z } from 'zod';

export const config = z
  .object({
    /** The mail server; without one mails are kept, and a demo shows them under /dev/mailbox. */
    MAIL_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
    /** The sender, as in `Portal <no-reply@example.com>`; no-reply at the host of PUBLIC_URL unless given. */
    MAIL_FROM: z
      .string()
      .regex(/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, {
        error: 'must be an address, such as Portal <no-reply@example.com>',
      })
      .optional(),
    /** What links begin with. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .transform((value) => value.replace(/\/$/, ''))
      .default('http://localhost:8080'),
    DEMO: z.string().default('1'),
  })
  .transform((env) => ({
    mailUrl: env.MAIL_URL,
    from: env.MAIL_FROM ?? `Haishin Portal <no-reply@${new URL(env.PUBLIC_URL).hostname}>`,
    publicUrl: env.PUBLIC_URL,
    showsMailbox: env.DEMO === '1' && env.MAIL_URL === undefined,
  }));
export type Config = z.output<typeof config>;
