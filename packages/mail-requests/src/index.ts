import { mailEvents } from '@portal/contracts';
import { type MailContent, mailContent } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import type { Outbox, Seals } from '@portal/service-kit';

/** Asks for a mail, which leaves with the transaction of `outbox`. `partnerId` is null for one of no tenant. */
export function requestMail(
  { outbox }: { readonly outbox: Outbox },
  seals: Seals,
  {
    bulk,
    content,
    partnerId,
  }: {
    readonly partnerId: number | null;
    readonly content: MailContent;
    /** Whether it may be one of very many: those that people wait for go first. */
    readonly bulk: boolean;
  },
): void {
  const mailId = newId();
  outbox.append(mailEvents.mailRequested, {
    subject: mailId,
    partnerId,
    late: bulk,
    data: { mailId, bulk, sealed: seals.seal(JSON.stringify(content), mailId, 'mail') },
  });
}

/** @throws Error for what `requestMail` of this installation has not sealed */
export function openMail(seals: Seals, { mailId, sealed }: { mailId: string; sealed: string }): MailContent {
  return mailContent.parse(JSON.parse(seals.open(sealed, mailId)));
}
