import type { IdentityDb } from './db.ts';
import type { PasswordLink } from './generated/client.ts';

/** Who gets a link. */
export interface LinkOwner {
  readonly accountKind: 'account' | 'admin';
  readonly accountId: number;
  readonly partnerId: number | null;
  /** Which of their passwords and roles is in force; absent where it is the first. */
  readonly generation?: number | undefined;
  /** They are the company admin whom a sign-up made, and activate the company by it. */
  readonly signsUp?: boolean;
}

interface NewLink {
  readonly owner: LinkOwner;
  readonly email: string;
  readonly tokenHash: Buffer;
}

/** Keeps links, one at most of an owner, in the place of those that their owners had; what one of those activates, the new one does. */
export async function replaceLinks(
  db: IdentityDb,
  links: readonly NewLink[],
  expiresAt: Date,
): Promise<void> {
  const rows = links.map(({ email, owner, tokenHash }) => ({
    kind: owner.accountKind,
    id: owner.accountId,
    partner: owner.partnerId,
    email,
    generation: owner.generation ?? 0,
    signsUp: owner.signsUp ?? false,
    hash: tokenHash.toString('hex'),
  }));
  await db.$executeRaw`
    INSERT INTO password_links AS known (partner_id, account_kind, account_id, email, generation, signs_up, token_hash,
      expires_at)
    SELECT partner, kind::account_kind, id, email, generation, "signsUp", decode(hash, 'hex'), ${expiresAt}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS link (
      partner integer, kind text, id integer, email text, generation integer, "signsUp" boolean, hash text)
    ORDER BY kind, id
    ON CONFLICT (account_kind, account_id) DO UPDATE
    SET email = EXCLUDED.email, generation = EXCLUDED.generation, signs_up = known.signs_up OR EXCLUDED.signs_up,
      token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at`;
}

/** The valid link of this token to an account. */
export async function findLink(
  db: IdentityDb,
  tokenHash: Buffer<ArrayBuffer>,
  now: Date,
): Promise<PasswordLink | null> {
  return db.passwordLink.findFirst({
    where: { tokenHash, accountId: { not: null }, expiresAt: { gt: now } },
  });
}

/** Redeems a valid link; of several concurrent calls one succeeds. */
export async function redeemLink(
  db: IdentityDb,
  { accountKind, tokenHash }: { accountKind: 'account' | 'admin'; tokenHash: Buffer<ArrayBuffer> },
  now: Date,
): Promise<PasswordLink | null> {
  const [link] = await db.$queryRaw<Omit<PasswordLink, 'accountKind' | 'tokenHash'>[]>`
    DELETE FROM password_links
    WHERE token_hash = ${tokenHash} AND account_kind = ${accountKind}::account_kind AND expires_at > ${now}
    RETURNING id, partner_id AS "partnerId", account_id AS "accountId", email, generation, signs_up AS "signsUp",
      expires_at AS "expiresAt"`;
  return link ? { ...link, accountKind, tokenHash } : null;
}

/** Undoes `redeemLink`, unless its owner has got a newer link. */
export async function restoreLink(db: IdentityDb, link: PasswordLink): Promise<void> {
  await db.passwordLink.createMany({ data: [link], skipDuplicates: true });
}

/**
 * Forgets the links of people of tenants that were sent elsewhere than to their address, if they have one. Answers whose, and
 * whether they activate a company. An address is the same in capitals.
 */
export async function forgetLinksElsewhere(
  db: IdentityDb,
  people: readonly { readonly accountId: number; readonly email: string | null }[],
): Promise<ReadonlyMap<number, { readonly signsUp: boolean }>> {
  const rows = people.map(({ accountId, email }) => ({ account: accountId, address: email }));
  const forgotten = await db.$queryRaw<{ accountId: number; signsUp: boolean }[]>`
    DELETE FROM password_links USING jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS person (
      account integer, address text)
    WHERE account_kind = 'account' AND account_id = account AND lower(email) IS DISTINCT FROM lower(address)
    RETURNING account_id AS "accountId", signs_up AS "signsUp"`;
  return new Map(forgotten.map(({ accountId, signsUp }) => [accountId, { signsUp }]));
}

/** Forgets the links of people of tenants who have another password by now: those from before `generation`, or any. */
export async function forgetLinksBefore(
  db: IdentityDb,
  people: readonly { readonly accountId: number; readonly generation?: number | undefined }[],
): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map(({ accountId, generation }) => ({ account: accountId, generation }));
  await db.$executeRaw`
    DELETE FROM password_links USING jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS changed (
      account integer, generation integer)
    WHERE account_kind = 'account' AND account_id = changed.account
      AND (changed.generation IS NULL OR password_links.generation < changed.generation)`;
}

export async function forgetAdminLink(db: IdentityDb, adminId: number): Promise<void> {
  await db.passwordLink.deleteMany({ where: { accountKind: 'admin', accountId: adminId } });
}

export async function forgetOverLinks(db: IdentityDb, now: Date): Promise<void> {
  await db.passwordLink.deleteMany({ where: { expiresAt: { lte: now } } });
}
