import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { MailTransport } from './transport.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** What the library tells of a failure that the server's answer caused. */
const serverRefusal = z.object({
  code: z.string(),
  responseCode: z.number(),
  response: z.string(),
  rejected: z.array(z.unknown()).optional(),
});

/** Sends by SMTP. @param url `smtp(s)://user:password@host:port` */
export function createSmtpTransport(url: string): MailTransport {
  const { hostname } = new URL(url);
  const transporter = createTransport({ url, pool: true, maxConnections: 5, ...timeouts });
  return {
    async send({ from, html, id, subject, text, to }) {
      try {
        await transporter.sendMail({
          messageId: `<${id}@${hostname}>`,
          from,
          to,
          subject,
          text,
          html,
          // No answers from vacations, no lists of unsubscribed.
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return {};
      } catch (error) {
        const refused = refusalOf(error);
        if (refused === undefined) throw error;
        return { refused };
      }
    },
    close: () => transporter.close(),
  };
}

/** The answer of a server that does not want this mail or its recipient; undefined when something else went wrong. */
function refusalOf(error: unknown): string | undefined {
  const { data: refusal } = serverRefusal.safeParse(error);
  if (!refusal || refusal.responseCode < 500) return undefined;
  const isOfRecipient = refusal.code === 'EENVELOPE' && (refusal.rejected?.length ?? 0) > 0;
  return isOfRecipient || refusal.code === 'EMESSAGE' ? refusal.response : undefined;
}
