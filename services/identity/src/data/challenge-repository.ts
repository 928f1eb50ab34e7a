import { limits } from '@portal/contracts';
import type { Owner } from '../domain/owner.ts';
import type { IdentityDb } from './db.ts';
import type { Challenge } from './generated/client.ts';

export async function insertChallenge(
  db: IdentityDb,
  { accountId, accountKind, partnerId, unitId }: Owner,
  challenge: { readonly tokenHash: Buffer<ArrayBuffer>; readonly generation: number },
  now: Date,
): Promise<void> {
  await db.challenge.create({
    data: {
      accountId,
      accountKind,
      partnerId,
      unitId,
      ...challenge,
      expiresAt: new Date(now.getTime() + limits.challengeLifetime),
    },
  });
}

export async function findChallenge(
  db: IdentityDb,
  tokenHash: Buffer<ArrayBuffer>,
): Promise<Challenge | null> {
  return db.challenge.findUnique({ where: { tokenHash } });
}

/** Takes one of the tries that a challenge has; false where it is over, used or has none left. */
export async function takeTry(db: IdentityDb, tokenHash: Buffer<ArrayBuffer>, now: Date): Promise<boolean> {
  const { count } = await db.challenge.updateMany({
    where: { tokenHash, expiresAt: { gt: now }, tries: { lt: limits.triesPerChallenge } },
    data: { tries: { increment: 1 } },
  });
  return count === 1;
}

export async function deleteChallenge(db: IdentityDb, tokenHash: Buffer<ArrayBuffer>): Promise<void> {
  await db.challenge.deleteMany({ where: { tokenHash } });
}

export async function forgetAdminChallenges(db: IdentityDb, adminId: number): Promise<void> {
  await db.challenge.deleteMany({ where: { accountKind: 'admin', accountId: adminId } });
}

export async function forgetOverChallenges(db: IdentityDb, now: Date): Promise<void> {
  await db.challenge.deleteMany({ where: { expiresAt: { lte: now } } });
}
