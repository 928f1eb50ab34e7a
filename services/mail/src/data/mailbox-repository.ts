import { foldCase } from '@portal/contracts';
import type { Message } from '../transport/transport.ts';
import type { MailDb } from './db.ts';
import type { MailboxEntry } from './generated/client.ts';

const shown = 100;

/** Stores a mail of a demo instead of sending it; a repeat changes nothing. */
export async function insertIntoMailbox(
  db: MailDb,
  { id, partnerId, to, ...message }: Message & { readonly partnerId: number | null },
  sentAt: Date,
): Promise<void> {
  const { from, html, subject, text } = message;
  await db.mailboxEntry.createMany({
    data: [
      {
        mailId: id,
        partnerId,
        to: to.address,
        toKey: foldCase(to.address),
        from,
        subject,
        text,
        html,
        sentAt,
      },
    ],
    skipDuplicates: true,
  });
}

/** The newest mails, by when they were asked for, which their ids say. */
export async function listMailbox(db: MailDb, to: string | undefined): Promise<MailboxEntry[]> {
  return db.mailboxEntry.findMany({
    where: to === undefined ? {} : { toKey: foldCase(to) },
    orderBy: { mailId: 'desc' },
    take: shown,
  });
}
