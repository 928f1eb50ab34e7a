import { formatDateTime, identityEvents, limits } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { slices } from '@portal/kernel';
import { requestMail, requestMails } from '@portal/mail-requests';
import { type Seals, type Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { type LinkOwner, replaceLinks } from '../data/password-link-repository.ts';
import { consumeResetMailQuota } from '../data/reset-mail-repository.ts';
import { hashOfLinkToken, newLinkToken } from '../tokens/link-token.ts';

type Letter = MailContent extends infer Content
  ? Content extends MailContent & { readonly token: string }
    ? Omit<Content, 'to' | 'token'>
    : never
  : never;

/** An address, and its owner with what they are told. */
interface LinkRequest {
  readonly email: string;
  readonly to: LinkOwner & { readonly letter: Letter };
}

/**
 * Mails links to choose a password to the owners of the addresses: valid once, for a day, replacing earlier ones.
 * Those in `bulk` are sent behind the others. Of those that are `rationed` an owner gets a few in an hour: who has got them keeps
 * the last link.
 */
export async function mailLinks(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  {
    asked,
    bulk = false,
    rationed,
    requests,
  }: {
    readonly requests: readonly LinkRequest[];
    readonly bulk?: boolean;
    readonly rationed: boolean;
    /** By the people themselves, or by an admin; null where the user service had it done, and is not told. */
    readonly asked: boolean | null;
  },
  now: Date,
): Promise<void> {
  const owners = requests.map(({ to }) => to);
  const mailed = new Set(rationed ? await consumeResetMailQuota(tx.db, owners, { now, rationed }) : owners);
  const expiresAt = new Date(now.getTime() + limits.passwordLinkLifetime);
  const made = requests
    .filter(({ to }) => mailed.has(to))
    .map((request) => ({ ...request, token: newLinkToken() }));
  if (made.length === 0) return;
  await replaceLinks(
    tx.db,
    made.map(({ email, to, token }) => ({ owner: to, email, tokenHash: hashOfLinkToken(token) })),
    expiresAt,
  );
  for (const [partnerId, some] of Map.groupBy(made, ({ to }) => to.partnerId)) {
    const contents = some.map(({ email, to: { letter }, token }) => ({ ...letter, to: email, token }));
    if (bulk) requestMails(tx, seals, { partnerId, contents });
    else for (const content of contents) requestMail(tx, seals, { partnerId, content });
    tellRequests(tx, partnerId, some);
  }
  if (asked !== null) tellSetupMails(tx, made, { asked, now });
}

/** Many people of a tenant make one event, or a few. */
function tellRequests(
  { outbox }: Transaction<IdentityDb>,
  partnerId: number | null,
  made: readonly LinkRequest[],
): void {
  if (partnerId === null || made.length === 1) {
    for (const { accountId, accountKind } of made.map(({ to }) => to)) {
      outbox.append(identityEvents.passwordResetRequested, {
        subject: accountId,
        partnerId,
        data: { accountKind, accountId },
      });
    }
    return;
  }
  for (const some of slices(made, limits.peopleOfEvent)) {
    const userIds = some.map(({ to }) => to.accountId);
    outbox.append(identityEvents.passwordsResetRequested, {
      subject: partnerId,
      partnerId,
      data: { partnerId, userIds },
    });
  }
}

/** Tells the user service who was mailed a link to choose a first password. */
function tellSetupMails(
  { outbox }: Transaction<IdentityDb>,
  mailed: readonly LinkRequest[],
  { asked, now }: { readonly asked: boolean; readonly now: Date },
): void {
  const first = mailed.flatMap(({ to: { accountId, letter, partnerId } }) =>
    letter.template === 'passwordInit' && partnerId !== null ? [{ accountId, partnerId }] : [],
  );
  for (const [partnerId, people] of Map.groupBy(first, (person) => person.partnerId)) {
    const userIds = people.map(({ accountId }) => accountId);
    outbox.append(identityEvents.setupMailsSent, {
      subject: partnerId,
      partnerId,
      data: { partnerId, at: formatDateTime(now), userIds, asked },
    });
  }
}
