import { changeAccountPassword } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import { type Call, everything, type Peers, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { giveLinkBack, takeLink } from '../data/password-link-repository.ts';
import { hashOfLinkToken } from '../tokens/link-token.ts';
import { settlePasswordChange } from './settle-password-change.ts';

/**
 * Gives the person of a link another password, lifts their lock and ends their sessions.
 * Throws `E40004` for a link that is not good, `E40002` on `password` when it is the one they have; the link stays good.
 */
export async function resetAccountPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; felt: () => Promise<void> },
  { password, resetToken }: { password: string; resetToken: string },
  { address: clientAddress, concerns }: Pick<Call, 'address' | 'concerns'>,
): Promise<{ role: number; isUser: boolean }> {
  const { clock, peers, store } = deps;
  const tokenHash = hashOfLinkToken(resetToken);
  // Before the password, so that a link that is used twice at once changes it once.
  const link = await store.write(everything, ({ db }) =>
    takeLink(db, { accountKind: 'account', tokenHash }, clock.now()),
  );
  if (!link || link.accountId === null || link.partnerId === null) throw new AppError('E40004');
  const account = { accountId: link.accountId, partnerId: link.partnerId };
  const owner = { kind: 'account', id: link.accountId, partnerId: link.partnerId } as const;
  concerns({ ...owner, role: null });
  try {
    const { generation, isUser, role } = await peers.call(changeAccountPassword, {
      params: { id: account.accountId },
      body: { partnerId: account.partnerId, password, address: link.email, clientAddress },
    });
    concerns({ ...owner, role });
    await settlePasswordChange(deps, { ...account, generation });
    return { isUser, role };
  } catch (error) {
    // The account is gone, or its address is another, and its link is over: the event that says so may be late.
    if (error instanceof AppError && error.code === 'E40403') throw new AppError('E40004');
    await store.write(everything, ({ db }) => giveLinkBack(db, link));
    throw error;
  }
}
