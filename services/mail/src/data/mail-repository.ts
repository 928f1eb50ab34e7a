import type { MailDb } from './db.ts';
import type { BounceKind, Mail } from './generated/client.ts';

/** A mail that is to be sent. */
export type WaitingMail = Pick<Mail, 'attempts' | 'bulk' | 'id' | 'partnerId' | 'requestedAt'> & {
  readonly sealed: string;
};

/** Keeps mails until they are sent; those that are known already stay as they are. */
export async function keepMails(
  db: MailDb,
  mails: readonly Pick<WaitingMail, 'bulk' | 'id' | 'partnerId' | 'sealed'>[],
  now: Date,
): Promise<void> {
  await db.mail.createMany({
    data: mails.map((mail) => ({ ...mail, requestedAt: now, dueAt: now })),
    skipDuplicates: true,
  });
}

/** Takes mails that are due, oldest first and those in bulk last, for as long as `until`: no other instance gets them before. */
export async function takeDueMails(
  db: MailDb,
  { limit, now, until }: { limit: number; now: Date; until: Date },
): Promise<WaitingMail[]> {
  const taken = await db.$queryRaw<{ id: string }[]>`
    UPDATE mails SET due_at = ${until}
    WHERE id IN (
      SELECT id FROM mails WHERE due_at <= ${now} ORDER BY bulk, due_at, id LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  if (taken.length === 0) return [];
  const mails = await db.mail.findMany({
    where: { id: { in: taken.map(({ id }) => id) } },
    orderBy: [{ bulk: 'asc' }, { id: 'asc' }],
  });
  return mails.flatMap(({ sealed, ...mail }) => (sealed === null ? [] : [{ ...mail, sealed }]));
}

/** Tells whether it was still waiting: another instance that took too long may have settled it. */
export async function settleMail(db: MailDb, id: string, status: 'bounced' | 'sent'): Promise<boolean> {
  const { count } = await db.mail.updateMany({
    where: { id, status: 'waiting' },
    data: { status, sealed: null, dueAt: null },
  });
  return count === 1;
}

export async function postponeMail(
  db: MailDb,
  { id, attempts }: Pick<WaitingMail, 'attempts' | 'id'>,
  dueAt: Date,
): Promise<void> {
  await db.mail.updateMany({ where: { id, status: 'waiting' }, data: { attempts: attempts + 1, dueAt } });
}

export async function keepBounce(
  db: MailDb,
  bounce: {
    readonly mailId: string;
    readonly partnerId: number | null;
    readonly email: string;
    readonly kind: BounceKind;
    readonly reason: string;
    readonly occurredAt: Date;
  },
): Promise<void> {
  await db.bounce.create({ data: bounce });
}

/** Forgets mails that were asked for before `before`, bounces excepted. */
export async function forgetMails(db: MailDb, before: Date): Promise<void> {
  await db.mail.deleteMany({ where: { requestedAt: { lt: before } } });
  await db.mailboxEntry.deleteMany({ where: { sentAt: { lt: before } } });
}
