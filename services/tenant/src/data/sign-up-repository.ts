import { createHash } from 'node:crypto';
import { foldCase } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { SignedUpRank } from '../domain/sign-up.ts';
import type { TenantDb } from './db.ts';
import type { SignUp } from './generated/client.ts';

/** Keeps what somebody said who signed a partner up. */
export async function insertSignUp(db: TenantDb, signUp: SignUp): Promise<void> {
  await db.signUp.create({ data: signUp, select: { partnerId: true } });
}

/**
 * Takes an address for the partner that it signs up. Throws `E40310` or `E40311` when it has or had a trial or a free account: of
 * two at one moment the index lets one pass.
 */
export async function takeAddress(
  db: TenantDb,
  { contractRank, email, partnerId }: { partnerId: number; contractRank: SignedUpRank; email: string },
): Promise<void> {
  try {
    await db.signUpAddress.create({
      data: { partnerId, contractRank, addressHash: hashOfAddress(email) },
      select: { partnerId: true },
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'sign_up_addresses_address_hash_contract_rank_key')) throw error;
    throw contractRank === 'trial'
      ? new AppError('E40310', [{ field: 'email', message: 'alreadyTrial' }], { cause: error })
      : new AppError('E40311', [{ field: 'email', message: 'alreadyFree' }], { cause: error });
  }
}

/** Lets an address sign up again, with what was said of a partner that nobody has activated. */
export async function dropSignUp(db: TenantDb, partnerId: number): Promise<void> {
  await db.signUp.deleteMany({ where: { partnerId } });
  await db.signUpAddress.deleteMany({ where: { partnerId } });
}

export async function findSignUp(db: TenantDb, partnerId: number): Promise<SignUp | null> {
  return db.signUp.findUnique({ where: { partnerId } });
}

/** Whose link this is, as long as it is good. */
export async function partnerOfLink(
  db: TenantDb,
  tokenHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<number | undefined> {
  const signUp = await db.signUp.findUnique({
    where: { tokenHash, tokenUntil: { gt: now } },
    select: { partnerId: true },
  });
  return signUp?.partnerId;
}

/** Notes that a partner was activated. False where it is already: of two at one moment one gets true. */
export async function activateSignUp(db: TenantDb, partnerId: number, now: Date): Promise<boolean> {
  const { count } = await db.signUp.updateMany({
    where: { partnerId, activatedAt: null },
    data: { activatedAt: now, tokenHash: null, tokenUntil: null, deleteAfter: null },
  });
  if (count === 0) return false;
  await db.partner.update({
    where: { id: partnerId },
    data: { awaitsActivation: false },
    select: { id: true },
  });
  return true;
}

/** Partners that nobody has activated in time. */
export async function findUnactivated(
  db: TenantDb,
  { now, take }: { readonly now: Date; readonly take: number },
): Promise<number[]> {
  const rows = await db.signUp.findMany({
    where: { deleteAfter: { lte: now } },
    orderBy: [{ deleteAfter: 'asc' }, { partnerId: 'asc' }],
    take,
    select: { partnerId: true },
  });
  return rows.map(({ partnerId }) => partnerId);
}

/** Addresses are the same in capitals, and need not be known to be told apart. */
const hashOfAddress = (email: string): Buffer<ArrayBuffer> =>
  createHash('sha256').update(foldCase(email)).digest();
