import { refuseGuessable } from '@portal/accounts';
import type { identityRoutes } from '@portal/contracts';
import { changeAccountPassword, confirmSignUp, findAccount } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import { type Call, ofPartner, type Peers, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findLink, redeemLink, restoreLink } from '../data/password-link-repository.ts';
import { hashOfLinkToken } from '../tokens/link-token.ts';
import { revokeAfterPasswordChange } from './revoke-after-password-change.ts';

/**
 * Gives the person of a link to choose a first password, who may have signed up a company, that password: their address is proved,
 * and the company is activated. Throws what `resetAccountPassword` throws, and `E40002` on `password` for one that is guessable: a
 * company without anybody who can sign in stays as it is.
 */
export async function chooseFirstPassword(...args: Parameters<typeof resetAccountPassword>): Promise<void> {
  const [{ clock, peers, store }, { password, resetToken }, { concerns, systemScope }] = args;
  const scope = systemScope('a link is known by its token');
  const link = await store.read(scope, (db) => findLink(db, hashOfLinkToken(resetToken), clock.now()));
  if (link?.accountId != null && link.partnerId != null) {
    const { accountId, email, partnerId, signsUp } = link;
    concerns({ kind: 'account', id: accountId, partnerId, role: null });
    refuseGuessable(
      password,
      await peers.call(findAccount, { body: { partnerId, accountId } }).catch((error: unknown) => {
        throw isOver(error) ? new AppError('E40004') : error;
      }),
    );
    await peers.call(confirmSignUp, { body: { partnerId, email, ofSignedUpAdmin: signsUp } });
  }
  await resetAccountPassword(...args);
}

/**
 * Gives the person of a link another password, lifts their lock and ends their sessions.
 * Throws `E40004` for a link that is not good, `E40002` on `password` when it is the one they have; the link stays good.
 */
export async function resetAccountPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; waitUntilRevoked: () => Promise<void> },
  { password, resetToken }: { password: string; resetToken: string },
  {
    address: clientAddress,
    concerns,
    systemScope,
  }: Pick<Call<typeof identityRoutes.resetUserPassword>, 'address' | 'concerns' | 'systemScope'>,
): Promise<void> {
  const { clock, peers, store } = deps;
  const tokenHash = hashOfLinkToken(resetToken);
  // Before the password, so that a link that is used twice at once changes it once.
  const link = await store.write(systemScope('a link is known by its token'), ({ db }) =>
    redeemLink(db, { accountKind: 'account', tokenHash }, clock.now()),
  );
  if (!link || link.accountId === null || link.partnerId === null) throw new AppError('E40004');
  const account = { accountId: link.accountId, partnerId: link.partnerId };
  const owner = { kind: 'account', id: link.accountId, partnerId: link.partnerId } as const;
  concerns({ ...owner, role: null });
  try {
    const { generation, role } = await peers.call(changeAccountPassword, {
      params: { id: account.accountId },
      body: {
        partnerId: account.partnerId,
        password,
        address: link.email,
        generation: link.generation,
        clientAddress,
      },
    });
    concerns({ ...owner, role });
    await revokeAfterPasswordChange(deps, { ...account, generation });
  } catch (error) {
    if (isOver(error)) throw new AppError('E40004');
    await store.write(ofPartner(account.partnerId), ({ db }) => restoreLink(db, link));
    throw error;
  }
}

/** The account is gone, or its address or password is another, and its link is over: the event that says so may be late. */
function isOver(error: unknown): boolean {
  return error instanceof AppError && ['E40004', 'E40403'].includes(error.code);
}
