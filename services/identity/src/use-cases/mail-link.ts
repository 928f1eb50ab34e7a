import { identityEvents, limits } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { requestMail, type Seals, type Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { keepLinks, type LinkOwner } from '../data/password-link-repository.ts';
import { hashOfLinkToken, newLinkToken } from '../tokens/link-token.ts';

type Letter = MailContent extends infer Content
  ? Content extends MailContent
    ? Omit<Content, 'to' | 'token'>
    : never
  : never;

/** An address, and its owner with what they are told; null where nobody owns it. */
interface LinkRequest {
  readonly email: string;
  readonly to: (LinkOwner & { readonly letter: Letter }) | null;
}

/**
 * Mails links to choose a password to the owners of the addresses, each good for a day and once; the ones before are over.
 * Those in `bulk` are sent behind the others. Where nobody owns it, a link that is never sent is kept all the same: the time it takes tells nobody who has an account.
 */
export async function mailLinks(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { bulk = false, requests }: { readonly requests: readonly LinkRequest[]; readonly bulk?: boolean },
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + limits.passwordLinkLifetime);
  const made = requests.map((request) => ({ ...request, token: newLinkToken() }));
  await keepLinks(
    tx.db,
    made.map(({ email, to, token }) => ({ owner: to, email, tokenHash: hashOfLinkToken(token) })),
    expiresAt,
  );
  for (const { email, to, token } of made) {
    if (!to) continue;
    const { accountId, accountKind, letter, partnerId } = to;
    requestMail(tx, seals, { partnerId, bulk, content: { ...letter, to: email, token } });
    tx.outbox.append(identityEvents.passwordResetRequested, {
      subject: accountId,
      partnerId,
      data: { accountKind, accountId },
    });
  }
}
