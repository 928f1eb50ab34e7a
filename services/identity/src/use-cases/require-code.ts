import { settleLogin } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import type { Caller, KeyCipher, Peers, Store } from '@portal/service-kit';
import { recordCodeAttempt } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import type { TwoFactor } from '../data/generated/client.ts';
import { lockTwoFactor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import { spendCode } from './spend-code.ts';

export interface CodeDependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly cipher: KeyCipher;
  readonly peers: Peers;
}

/** Who is signed in, and what they may see. */
export interface Self {
  readonly caller: Caller;
  readonly scope: Scope;
}

/**
 * Uses up a code of the caller, whose second factor passes `fits`, and answers that. Throws `E40034` where it does not, `E40002`
 * on `code` for a wrong one, which counts as a wrong sign-in, and for any of a locked account.
 */
export async function requireCode(
  deps: CodeDependencies,
  self: Self,
  code: string,
  { fits, takes }: { readonly fits: (known: TwoFactor) => boolean; readonly takes: 'any' | 'app' },
): Promise<TwoFactor> {
  const { cipher, clock, store } = deps;
  const owner = ownerOf(self.caller);
  const { right, twoFactor } = await store.write(self.scope, async ({ db }) => {
    const known = await lockTwoFactor(db, owner);
    if (!known || !fits(known)) throw new AppError('E40034');
    const found = { owner, twoFactor: known };
    return { twoFactor: known, right: await spendCode(db, cipher, found, { code, now: clock.now(), takes }) };
  });
  if (!(await countCode(deps, self, right))) throw fieldError('E40002', 'code', 'wrongCode');
  return twoFactor;
}

/** Counts a code; tells whether it lets in, which none does while the account is locked. */
async function countCode(
  { clock, peers, store }: CodeDependencies,
  { caller, scope }: Self,
  right: boolean,
): Promise<boolean> {
  if (caller.kind === 'admin') {
    const attempt = { right, now: clock.now() };
    return store.write(
      scope,
      async ({ db }) => (await recordCodeAttempt(db, caller.adminId, attempt)) !== null,
    );
  }
  const { accountId, partnerId } = caller;
  try {
    await peers.call(settleLogin, { body: { partnerId, accountId, right, signsIn: false } });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'E40101') return false;
    throw error;
  }
}
