import { leaseQueue } from '@portal/service-kit';
import type { MailDb } from './db.ts';
import type { BounceKind } from './generated/client.ts';

/** Mails that are to be sent: to whom and what, sealed. Those that people wait for go before those in bulk. */
export const mailQueue = leaseQueue<{ sealed: string }>('send-mails');

/** Keeps mails until they are sent; those that are known already stay as they are. */
export async function insertMails(
  db: MailDb,
  mails: readonly {
    readonly mailId: string;
    readonly partnerId: number | null;
    readonly sealed: string;
  }[],
  { inBulk, now }: { readonly inBulk: boolean; readonly now: Date },
): Promise<void> {
  const rows = mails.map(({ mailId, partnerId }) => ({ mailId, partnerId }));
  const kept = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO mails (id, partner_id, requested_at)
    SELECT "mailId", "partnerId", ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS one ("mailId" uuid, "partnerId" integer)
    ON CONFLICT DO NOTHING RETURNING id::text`;
  const ids = new Set(kept.map(({ id }) => id));
  const tasks = mails
    .filter(({ mailId }) => ids.has(mailId))
    .map(({ mailId: id, partnerId, sealed }) => ({
      id,
      partnerId,
      priority: Number(inBulk),
      payload: { sealed },
    }));
  await mailQueue.add(db, tasks, now);
}

export async function finaliseMail(db: MailDb, id: string, status: 'bounced' | 'sent'): Promise<void> {
  await db.mail.updateMany({ where: { id }, data: { status } });
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
  const requestedAt = { lt: before };
  const waiting = await db.mail.findMany({ where: { requestedAt, status: 'waiting' }, select: { id: true } });
  await mailQueue.remove(
    db,
    waiting.map(({ id }) => id),
  );
  await db.mail.deleteMany({ where: { requestedAt } });
  await db.mailboxEntry.deleteMany({ where: { sentAt: { lt: before } } });
}
