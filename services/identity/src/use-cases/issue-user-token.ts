import { findPartner } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import { ofPartner, type Peers, type Store, type TenantCaller } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findSession } from '../data/session-views.ts';
import type { KeyRing } from '../tokens/key-ring.ts';

/** No call of the product takes tokens of this audience. */
const audience = 'statement';
const lifetimeSeconds = 300;

/** A signed statement of who the user is, for the customer's own back end, which checks it with the published keys. */
export async function issueUserToken(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; keyRing: KeyRing },
  { accountId, partnerId, sessionId }: TenantCaller,
): Promise<{ token: string }> {
  const { clock, keyRing, peers, store } = deps;
  const session = await store.read(ofPartner(partnerId), (db) => findSession(db, sessionId));
  if (!session) throw new AppError('E40102');
  const partner = await peers.call(findPartner, { body: { partnerId } });
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  const token = await keyRing.sign({
    aud: audience,
    sub: String(accountId),
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    name: session.name,
    email: session.email,
    login_user_id: session.loginUserId,
    partner_code: partner.partnerCode,
  });
  return { token };
}
