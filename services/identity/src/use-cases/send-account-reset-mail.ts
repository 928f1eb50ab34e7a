import { hasAnyRole, identityRoutes, type RouteReply } from '@portal/contracts';
import { findAccount, findPartner } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import { type Call, everything, ofPartner, type Peers, type Seals, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { mailLinks } from './mail-link.ts';

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly seals: Seals;
}

type Account = RouteReply<typeof findAccount>;

/** Mails a person of a tenant a link to choose a password. Who is unknown gets nothing, and nobody is told. */
export async function sendResetMailToAddress(
  deps: Dependencies,
  { email, partnerCode }: { email: string; partnerCode: string },
  call: Pick<Call, 'concerns'>,
): Promise<void> {
  const { clock, seals, store } = deps;
  const found = await findByAddress(deps, { email, partnerCode }, call);
  if (found) return send(deps, found.partnerId, found.account, found.account.email ?? email);
  await store.write(everything, (tx) =>
    mailLinks(tx, seals, { requests: [{ email, to: null }] }, clock.now()),
  );
}

/** The same for an account of one's own tenant. Throws `E40403` for none, `E40035` for one without an address. */
export async function sendResetMailToAccount(
  deps: Dependencies,
  { accountId, partnerId }: { accountId: number; partnerId: number },
): Promise<void> {
  const account = await deps.peers.call(findAccount, { body: { partnerId, accountId } });
  if (account.email === null) throw new AppError('E40035');
  await send(deps, partnerId, account, account.email);
}

async function findByAddress(
  { peers }: Dependencies,
  { email, partnerCode }: { email: string; partnerCode: string },
  { concerns }: Pick<Call, 'concerns'>,
): Promise<{ partnerId: number; account: Account } | null> {
  try {
    const { partnerId } = await peers.call(findPartner, { body: { partnerCode } });
    concerns({ kind: 'tenant', partnerId });
    const account = await peers.call(findAccount, { body: { partnerId, email } });
    concerns({ kind: 'account', id: account.id, role: account.role, partnerId });
    return { partnerId, account };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'E40402' || error.code === 'E40403')) return null;
    throw error;
  }
}

async function send(
  { clock, seals, store }: Dependencies,
  partnerId: number,
  { generation, hasPassword, id: accountId, name, role }: Account,
  email: string,
): Promise<void> {
  const person = { name, language: null };
  const area = hasAnyRole(role, identityRoutes.portalRoles) ? 'partner' : 'user';
  const letter = hasPassword
    ? ({ ...person, template: 'passwordReset', area } as const)
    : ({ ...person, template: 'passwordInit' } as const);
  await store.write(ofPartner(partnerId), (tx) =>
    mailLinks(
      tx,
      seals,
      { requests: [{ email, to: { accountKind: 'account', accountId, partnerId, generation, letter } }] },
      clock.now(),
    ),
  );
}
