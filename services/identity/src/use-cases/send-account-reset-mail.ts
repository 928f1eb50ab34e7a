import { hasAnyRole, identityRoutes, type RouteReply } from '@portal/contracts';
import { findAccount, findPartner } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { type Call, ofPartner, type Peers, type Seals, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { type AskedLink, requestLink } from './request-link.ts';

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly peers: Peers;
  readonly seals: Seals;
}

type Account = RouteReply<typeof findAccount>;

/** Mails a user of a tenant a link to choose a password. For an unknown user nothing is sent, with the same answer. */
export async function sendResetMailToAddress(
  deps: Dependencies,
  { email, partnerCode }: { email: string; partnerCode: string },
  call: Pick<Call<typeof identityRoutes.sendUserResetMail>, 'concerns' | 'systemScope'>,
): Promise<void> {
  const found = await findByAddress(deps, { email, partnerCode }, call);
  const scope = call.systemScope('the mail may be for nobody');
  await ask(deps, scope, found && linkOf(found.partnerId, found.account, found.account.email ?? email));
}

/**
 * The same for an account of one's own tenant; who has got the mails of an hour keeps the last link, and the answer is the same.
 * Throws `E40403` for none, `E40035` for one without an address.
 */
export async function sendResetMailToAccount(
  deps: Dependencies,
  { accountId, partnerId }: { accountId: number; partnerId: number },
): Promise<void> {
  const account = await deps.peers.call(findAccount, { body: { partnerId, accountId } });
  if (account.email === null) throw new AppError('E40035');
  await ask(deps, ofPartner(partnerId), linkOf(partnerId, account, account.email));
}

async function findByAddress(
  { peers }: Dependencies,
  { email, partnerCode }: { email: string; partnerCode: string },
  { concerns }: Pick<Call, 'concerns'>,
): Promise<{ partnerId: number; account: Account } | null> {
  try {
    const { activated, partnerId } = await peers.call(findPartner, { body: { partnerCode } });
    concerns({ kind: 'tenant', partnerId });
    // The link of the sign-up alone proves whose address it is.
    if (activated === false) return null;
    const account = await peers.call(findAccount, { body: { partnerId, email } });
    concerns({ kind: 'account', id: account.id, role: account.role, partnerId });
    return { partnerId, account };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'E40402' || error.code === 'E40403')) return null;
    throw error;
  }
}

async function ask({ seals, store }: Dependencies, scope: Scope, link: AskedLink): Promise<void> {
  await store.write(scope, async (tx) => requestLink(tx, seals, link));
}

function linkOf(
  partnerId: number,
  { generation, hasPassword, id: accountId, name, role }: Account,
  email: string,
): AskedLink {
  const area = hasAnyRole(role, identityRoutes.portalRoles) ? 'partner' : 'user';
  return {
    accountKind: 'account',
    accountId,
    partnerId,
    generation,
    area: hasPassword ? area : null,
    email,
    name,
    language: null,
  };
}
