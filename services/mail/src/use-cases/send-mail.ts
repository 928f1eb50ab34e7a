import { mailEvents } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import type { Clock, Logger } from '@portal/kernel';
import { everything, openMail, type Peers, type Seals, type Store } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { keepBounce, postponeMail, settleMail, type WaitingMail } from '../data/mail-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { nextTry } from '../domain/retry.ts';
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

/**
 * Tries to send a mail, and records what became of it: sent, bounced, or to be tried again. A crash between the server's
 * answer and the record sends it again, under the same message id.
 */
export async function sendMail(deps: Sending, mail: WaitingMail): Promise<void> {
  const { clock, logger, seals, store } = deps;
  const content = openMail(seals, { mailId: mail.id, sealed: mail.sealed });
  try {
    const { refused } = await deliver(deps, mail, content);
    if (refused !== undefined)
      return await bounce(deps, mail, content, { kind: 'permanent', reason: refused });
    await store.write(everything, async ({ db, outbox }) => {
      if (!(await settleMail(db, mail.id, 'sent'))) return;
      outbox.append(mailEvents.mailSent, {
        subject: mail.id,
        partnerId: mail.partnerId,
        data: { mailId: mail.id },
      });
    });
  } catch (error) {
    // Its message may hold the address.
    logger.warn(
      { mailId: mail.id, failures: mail.attempts + 1, ...codesOf(error) },
      'Mail could not be sent',
    );
    const dueAt = nextTry({ requestedAt: mail.requestedAt, failures: mail.attempts + 1 }, clock.now());
    if (dueAt) await store.write(everything, ({ db }) => postponeMail(db, mail, dueAt));
    else
      await bounce(deps, mail, content, {
        kind: 'temporary',
        reason: error instanceof Error ? error.message : String(error),
      });
  }
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
  { clock, seals, store }: Sending,
  { id: mailId, partnerId }: WaitingMail,
  { to: email }: MailContent,
  { kind, reason }: { kind: 'permanent' | 'temporary'; reason: string },
): Promise<void> {
  await store.write(everything, async ({ db, outbox }) => {
    if (!(await settleMail(db, mailId, 'bounced'))) return;
    await keepBounce(db, { mailId, partnerId, email, kind, reason, occurredAt: clock.now() });
    outbox.append(mailEvents.mailBounced, {
      subject: mailId,
      partnerId,
      // For this service alone: nobody else asks for it yet.
      data: { mailId, kind, sealed: seals.seal(JSON.stringify({ email, reason }), mailId, 'mail') },
    });
  });
}

/** What can be told of a failure without telling whom it concerns. */
function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  if (typeof error !== 'object' || error === null) return {};
  return {
    ...('code' in error && { code: error.code }),
    ...('responseCode' in error && { responseCode: error.responseCode }),
  };
}
