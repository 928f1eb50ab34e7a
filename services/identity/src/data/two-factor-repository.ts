import type { SealedColumn } from '@portal/service-kit';
import type { Owner } from '../domain/owner.ts';
import type { IdentityDb } from './db.ts';
import type { TwoFactor } from './generated/client.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const of = ({ accountId, accountKind }: Pick<Owner, 'accountId' | 'accountKind'>) => ({
  accountKind,
  accountId,
});

const sealOf = (accountKind: string, accountId: number | string) => `two-factor ${accountKind} ${accountId}`;

/** What the secret of somebody is encrypted for. */
export const sealedFor = ({ accountId, accountKind }: Owner): string => sealOf(accountKind, accountId);

export const sealedSecrets: SealedColumn = {
  table: 'two_factors',
  column: 'secret',
  key: { account_kind: 'account_kind', account_id: 'integer' },
  of: sealOf,
};

export async function findTwoFactor(
  db: IdentityDb,
  owner: Pick<Owner, 'accountId' | 'accountKind'>,
): Promise<TwoFactor | null> {
  return db.twoFactor.findUnique({ where: { accountKind_accountId: of(owner) } });
}

/** Whether an account signs in with two factors. */
export async function hasTwoFactor(
  db: IdentityDb,
  owner: Pick<Owner, 'accountId' | 'accountKind'>,
): Promise<boolean> {
  return (await findTwoFactor(db, owner))?.enabledAt != null;
}

/** The same as `findTwoFactor`, and nobody uses a code of it or changes it until the transaction ends. */
export async function lockTwoFactor(db: IdentityDb, owner: Owner): Promise<TwoFactor | null> {
  const { accountId, accountKind } = owner;
  await db.$queryRaw`
    SELECT 1 FROM two_factors
    WHERE account_kind = ${accountKind}::account_kind AND account_id = ${accountId} FOR UPDATE`;
  return findTwoFactor(db, owner);
}

/** Keeps a secret that is not confirmed yet in the place of one before; false where two factors are on. */
export async function replaceSecret(db: IdentityDb, owner: Owner, secret: Bytes): Promise<boolean> {
  const { accountId, accountKind, partnerId, unitId } = owner;
  const kept = await db.$executeRaw`
    INSERT INTO two_factors AS known (account_kind, account_id, partner_id, unit_id, secret)
    VALUES (${accountKind}::account_kind, ${accountId}, ${partnerId}, ${unitId}, ${secret})
    ON CONFLICT (account_kind, account_id) DO UPDATE SET secret = EXCLUDED.secret, last_step = NULL
    WHERE known.enabled_at IS NULL`;
  return kept === 1;
}

/** Uses up the code of a step; false if that or a later one was used. */
export async function spendStep(db: IdentityDb, owner: Owner, step: number): Promise<boolean> {
  const { count } = await db.twoFactor.updateMany({
    where: { ...of(owner), OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    data: { lastStep: step },
  });
  return count === 1;
}

/** Turns on what has this secret; answers the revision of the change, null where it is on, or the secret another by now. */
export async function enableTwoFactor(
  db: IdentityDb,
  owner: Owner,
  secret: Bytes,
  now: Date,
): Promise<number | null> {
  const [changed] = await db.twoFactor.updateManyAndReturn({
    where: { ...of(owner), secret, enabledAt: null },
    data: { enabledAt: now, revision: { increment: 1 } },
    select: { revision: true },
  });
  return changed?.revision ?? null;
}

/** Turns it off, and forgets all that belongs to it; answers the revision of the change, null where it was off. */
export async function disableTwoFactor(db: IdentityDb, owner: Owner): Promise<number | null> {
  const [changed] = await db.twoFactor.updateManyAndReturn({
    where: { ...of(owner), enabledAt: { not: null } },
    data: { enabledAt: null, secret: null, lastStep: null, revision: { increment: 1 } },
    select: { revision: true },
  });
  if (!changed) return null;
  await db.recoveryCode.deleteMany({ where: of(owner) });
  await db.challenge.deleteMany({ where: of(owner) });
  return changed.revision;
}

export async function replaceRecoveryCodes(
  db: IdentityDb,
  owner: Owner,
  hashes: readonly Bytes[],
): Promise<void> {
  await db.recoveryCode.deleteMany({ where: of(owner) });
  const { partnerId, unitId } = owner;
  await db.recoveryCode.createMany({
    data: hashes.map((codeHash) => ({ ...of(owner), partnerId, unitId, codeHash })),
  });
}

/** Uses up a recovery code; false if there is no such one. */
export async function spendRecoveryCode(db: IdentityDb, owner: Owner, codeHash: Bytes): Promise<boolean> {
  return (await db.recoveryCode.deleteMany({ where: { ...of(owner), codeHash } })).count === 1;
}

export async function countRecoveryCodes(db: IdentityDb, owner: Owner): Promise<number> {
  return db.recoveryCode.count({ where: of(owner) });
}

/** Forgets everything of the second factors of people of tenants. */
export async function forgetTwoFactorsOf(db: IdentityDb, accountIds: readonly number[]): Promise<void> {
  const where = { accountKind: 'account' as const, accountId: { in: [...accountIds] } };
  await db.challenge.deleteMany({ where });
  await db.recoveryCode.deleteMany({ where });
  await db.twoFactor.deleteMany({ where });
}
