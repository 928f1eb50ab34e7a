import { AppError, type Clock } from '@portal/kernel';
import type { Call, KeyCipher, Store, Transaction } from '@portal/service-kit';
import { findAdmin } from '../data/admin-repository.ts';
import { deleteChallenge, findChallenge, insertChallenge, takeTry } from '../data/challenge-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import type { Challenge } from '../data/generated/client.ts';
import { lockTwoFactor } from '../data/two-factor-repository.ts';
import type { Owner } from '../domain/owner.ts';
import { hashOfLinkToken, newLinkToken } from '../tokens/link-token.ts';
import { spendCode } from './spend-code.ts';

/** What a right password gets in place of a session: it goes with a code. `generation` is that of the password. */
export async function startChallenge(
  { db }: Transaction<IdentityDb>,
  owner: Owner,
  generation: number,
  now: Date,
): Promise<string> {
  const challenge = newLinkToken();
  await insertChallenge(db, owner, { tokenHash: hashOfLinkToken(challenge), generation }, now);
  return challenge;
}

/** The refusal that tells the challenge. */
export const codeWanted = (challenge: string): AppError => new AppError('E40103', [], { challenge });

/**
 * Uses up a challenge by a right code, or one of its tries by a wrong one; what that means for the account is to be counted.
 * Throws `E40004` for a challenge that is used, over, has no tries left, or is of another kind.
 */
export async function answerChallenge(
  { cipher, clock, store }: { store: Store<IdentityDb>; clock: Clock; cipher: KeyCipher },
  { systemScope }: Pick<Call, never> & { readonly systemScope: NonNullable<Call['systemScope']> },
  kind: Owner['accountKind'],
  { challenge, code }: { readonly challenge: string; readonly code: string },
): Promise<{ challenge: Challenge; right: boolean; passwordHash: string | null }> {
  const tokenHash = hashOfLinkToken(challenge);
  const answered = await store.write(systemScope('who answers is known by the challenge'), async ({ db }) => {
    const now = clock.now();
    const found = await findChallenge(db, tokenHash);
    if (found?.accountKind !== kind) return null;
    const twoFactor = await lockTwoFactor(db, found);
    if (!twoFactor?.enabledAt || !(await takeTry(db, tokenHash, now))) return null;
    // It goes with the challenge, which a change of the password takes away.
    const admin = kind === 'admin' ? await findAdmin(db, found.accountId) : null;
    const right = await spendCode(db, cipher, { owner: found, twoFactor }, { code, now, takes: 'any' });
    if (right) await deleteChallenge(db, tokenHash);
    return { challenge: found, right, passwordHash: admin?.passwordHash ?? null };
  });
  if (!answered) throw new AppError('E40004');
  return answered;
}
