import { hasAnyRole, identityRoutes, type RouteReply } from '@portal/contracts';
import { findAccount, findPartner } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import type { Call, Peers, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findLink } from '../data/password-link-repository.ts';
import { hashOfLinkToken } from '../tokens/link-token.ts';

const over = { status: false, portal: false, player: false, partnerCode: null };
const gone: ReadonlySet<string> = new Set(['E40402', 'E40403']);

/** Whether a link to choose a password is good: not used, not over, not followed by another. Also where its owner signs in. */
export async function checkLink(
  { clock, peers, store }: { store: Store<IdentityDb>; clock: Clock; peers: Peers },
  token: string,
  { systemScope }: Pick<Call<typeof identityRoutes.checkPasswordLink>, 'systemScope'>,
): Promise<RouteReply<typeof identityRoutes.checkPasswordLink>> {
  const scope = systemScope('a link is known by its token');
  const link = await store.read(scope, (db) => findLink(db, hashOfLinkToken(token), clock.now()));
  if (link === null) return over;
  const { accountId, partnerId } = link;
  if (accountId === null || partnerId === null) return { ...over, status: true };
  try {
    const [{ isUser, role }, { partnerCode }] = await Promise.all([
      peers.call(findAccount, { body: { partnerId, accountId } }),
      peers.call(findPartner, { body: { partnerId } }),
    ]);
    const portal = hasAnyRole(role, identityRoutes.portalRoles);
    return { status: true, portal, player: isUser, partnerCode };
  } catch (error) {
    // The account or its partner is gone: the event that says so may be late.
    if (error instanceof AppError && gone.has(error.code)) return over;
    throw error;
  }
}
