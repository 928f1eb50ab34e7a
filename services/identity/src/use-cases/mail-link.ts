import { identityEvents, limits } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { requestMail, type Seals, type Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { keepLink, type LinkOwner } from '../data/password-link-repository.ts';
import { hashOfLinkToken, newLinkToken } from '../tokens/link-token.ts';

type Letter = MailContent extends infer Content
  ? Content extends MailContent
    ? Omit<Content, 'to' | 'token'>
    : never
  : never;

/**
 * Mails a link to choose a password to the owner of `email`, which is good for a day and once; the one before is over.
 * Where nobody owns it, a link that is never sent is kept all the same: the time it takes tells nobody who has an account.
 */
export async function mailLink(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { email, to }: { email: string; to: (LinkOwner & { readonly letter: Letter }) | null },
  now: Date,
): Promise<void> {
  const token = newLinkToken();
  const expiresAt = new Date(now.getTime() + limits.passwordLinkLifetime);
  await keepLink(tx.db, to, { email, tokenHash: hashOfLinkToken(token), expiresAt });
  if (!to) return;

  const { accountId, accountKind, letter, partnerId } = to;
  requestMail(tx, seals, { partnerId, content: { ...letter, to: email, token } });
  tx.outbox.append(identityEvents.passwordResetRequested, {
    subject: accountId,
    partnerId,
    data: { accountKind, accountId },
  });
}
