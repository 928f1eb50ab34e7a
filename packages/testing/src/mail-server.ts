import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server on this machine, which fails on request. */
export interface MailServer {
  readonly url: string;
  /** What it took, in order; whole messages as they came over the line. */
  readonly taken: { readonly from: string; readonly to: readonly string[]; readonly raw: string }[];
  /** What it answers to the next recipients, or to messages once `onData`; undefined: it takes them. */
  refusal: { readonly code: number; readonly onData?: boolean } | undefined;
  /** How often a client has tried to hand it a mail. */
  readonly tries: () => number;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const taken: MailServer['taken'] = [];
  let tries = 0;
  const refused = (code: number) =>
    Object.assign(new Error('Mailbox of somebody unavailable'), { responseCode: code });

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      tries += 1;
      const { refusal } = mailServer;
      done(refusal && !refusal.onData ? refused(refusal.code) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { refusal } = mailServer;
        if (refusal) return done(refused(refusal.code));
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done(null);
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    refusal: undefined,
    tries: () => tries,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}

/** A message as its reader sees it: headers and parts decoded. */
export function decoded(raw: string): string {
  return raw
    .replace(/=\?UTF-8\?B\?([^?]*)\?=\s*/gi, (_, text: string) => Buffer.from(text, 'base64').toString())
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=\s*/gi, (_, text: string) => quotedPrintable(text.replaceAll('_', ' ')))
    .split(/(?=^--)/m)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const text = body.join('\r\n\r\n');
      if (/base64/i.test(head)) return head + Buffer.from(text, 'base64').toString();
      return head + (/quoted-printable/i.test(head) ? quotedPrintable(text) : text);
    })
    .join('');
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
