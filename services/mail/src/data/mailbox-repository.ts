import type { Message } from '../transport/transport.ts';
import type { MailDb } from './db.ts';
import type { MailboxEntry } from './generated/client.ts';

const shown = 100;
const keyOf = (address: string) => address.toLowerCase();

/** Keeps a mail that nobody gets; a repeat does nothing. */
export async function keepInMailbox(
  db: MailDb,
  { id, partnerId, to, ...message }: Message & { readonly partnerId: number | null },
  sentAt: Date,
): Promise<void> {
  const { from, html, subject, text } = message;
  await db.mailboxEntry.createMany({
    data: [
      { mailId: id, partnerId, to: to.address, toKey: keyOf(to.address), from, subject, text, html, sentAt },
    ],
    skipDuplicates: true,
  });
}

/** The newest mails, by when they were asked for, which their ids say. */
export async function listMailbox(db: MailDb, to: string | undefined): Promise<MailboxEntry[]> {
  return db.mailboxEntry.findMany({
    where: to === undefined ? {} : { toKey: keyOf(to) },
    orderBy: { mailId: 'desc' },
    take: shown,
  });
}
