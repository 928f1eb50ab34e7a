import { mailEvents } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import type { Clock, Logger } from '@portal/kernel';
import { openMail } from '@portal/mail-requests';
import {
  type ClaimedTask,
  type HeldTask,
  type Peers,
  type Seals,
  type Store,
  type Transaction,
} from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { finaliseMail, keepBounce } from '../data/mail-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { oneLine } from '../templates/one-line.ts';
import { render } from '../templates/render.ts';
import type { MailTransport } from '../transport/transport.ts';

export interface Sending {
  readonly store: Store<MailDb>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly peers: Peers;
  readonly seals: Seals;
  readonly transport: MailTransport;
  /** The sender of all mails. */
  readonly from: string;
  readonly publicUrl: string;
}

type WaitingMail = HeldTask<{ sealed: string }>;

/**
 * Sends a mail, or learns that its recipient is refused for good, and records which. A crash between the server's answer and
 * the record sends it again, under the same message id.
 */
export async function sendMail(deps: Sending, mail: WaitingMail): Promise<void> {
  const { id, partnerId } = mail;
  const content = openMail(deps.seals, { mailId: id, sealed: mail.payload.sealed });
  const { refused } = await deliver(deps, mail, content);
  await deps.store.write(mail.scope, async (tx) => {
    await mail.finish(tx.db);
    if (refused !== undefined) {
      await bounce(deps, tx, mail, content, { kind: 'permanent', reason: refused });
      return;
    }
    await finaliseMail(tx.db, id, 'sent');
    tx.outbox.append(mailEvents.mailSent, { subject: id, partnerId, data: { mailId: id } });
  });
}

/** Records that a mail could not be sent for as long as it is tried. */
export async function giveUpMail(
  deps: Sending,
  tx: Transaction<MailDb>,
  mail: ClaimedTask<{ sealed: string }>,
  error: unknown,
): Promise<void> {
  const { id, payload } = mail;
  let content: MailContent;
  try {
    content = openMail(deps.seals, { mailId: id, sealed: payload.sealed });
  } catch {
    // Sealed with a key that is gone, say: nobody knows any more whom it was for.
    return finaliseMail(tx.db, id, 'bounced');
  }
  const reason = error instanceof Error ? error.message : String(error);
  await bounce(deps, tx, mail, content, { kind: 'temporary', reason });
}

async function deliver(
  deps: Sending,
  { id, partnerId }: WaitingMail,
  content: MailContent,
): Promise<{ readonly refused?: string }> {
  const { from, publicUrl, transport } = deps;
  const partner = partnerId === null ? null : await knowPartner(deps, partnerId);
  return transport.send({
    id,
    partnerId,
    from,
    to: { name: oneLine(content.name), address: content.to },
    ...render(content, {
      language: content.language ?? partner?.lang ?? 'ja',
      company: partner?.name ?? null,
      publicUrl,
    }),
  });
}

async function bounce(
  { clock, seals }: Sending,
  { db, outbox }: Transaction<MailDb>,
  { id: mailId, partnerId }: Pick<WaitingMail, 'id' | 'partnerId'>,
  { to: email }: MailContent,
  { kind, reason }: { kind: 'permanent' | 'temporary'; reason: string },
): Promise<void> {
  await finaliseMail(db, mailId, 'bounced');
  await keepBounce(db, { mailId, partnerId, email, kind, reason, occurredAt: clock.now() });
  outbox.append(mailEvents.mailBounced, {
    subject: mailId,
    partnerId,
    data: { mailId, kind, sealed: seals.seal(JSON.stringify({ email, reason }), mailId, 'tenant') },
  });
}

/** What can be told of a failure without telling whom it concerns, as its message may. */
export function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  if (typeof error !== 'object' || error === null) return {};
  return {
    ...('code' in error && { code: error.code }),
    ...('responseCode' in error && { responseCode: error.responseCode }),
  };
}
