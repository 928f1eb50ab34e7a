import { limits, mailEvents } from '@portal/contracts';
import { type MailContent, mailContent } from '@portal/contracts/internal';
import { newId, slices } from '@portal/kernel';
import type { Outbox, Seals } from '@portal/service-kit';

interface Outgoing {
  readonly outbox: Outbox;
}

/** Asks for a mail that somebody waits for, which leaves with the transaction of `outbox`. `partnerId` is null for one of no tenant. */
export function requestMail(
  { outbox }: Outgoing,
  seals: Seals,
  { content, partnerId }: { readonly partnerId: number | null; readonly content: MailContent },
): void {
  const data = sealed(seals, content);
  outbox.append(mailEvents.mailRequested, { subject: data.mailId, partnerId, data });
}

/** The same of mails that may be very many: those that people wait for go first. */
export function requestMails(
  { outbox }: Outgoing,
  seals: Seals,
  { contents, partnerId }: { readonly partnerId: number | null; readonly contents: readonly MailContent[] },
): void {
  for (const some of slices(contents, limits.mailsOfEvent)) {
    const requestId = newId();
    const mails = some.map((content) => sealed(seals, content));
    outbox.append(mailEvents.mailsRequested, { subject: requestId, partnerId, data: { requestId, mails } });
  }
}

interface SealedMail {
  readonly mailId: string;
  readonly sealed: string;
}

function sealed(seals: Seals, content: MailContent): SealedMail {
  const mailId = newId();
  return { mailId, sealed: seals.seal(JSON.stringify(content), mailId, 'mail') };
}

/** @throws Error for what has not been sealed by this installation, as those who ask for mails do */
export function openMail(seals: Seals, mail: SealedMail): MailContent {
  return mailContent.parse(JSON.parse(seals.open(mail.sealed, mail.mailId)));
}
