import { hasAnyRole, identityRoutes, type RouteInput, type RouteReply } from '@portal/contracts';
import type { provideSsoUser as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner, type Transaction } from '@portal/service-kit';
import { findByLogin, lockAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Account } from '../data/generated/client.ts';
import { findGroups, type NamedGroup } from '../data/group-repository.ts';
import { groupIdsOf, setGroupsOf } from '../data/membership-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import type { Licences } from '../domain/licence.ts';
import { newLogin } from '../domain/login.ts';
import { tellOfGroups } from './change-members.ts';
import { addUser, requireLicence } from './create-user.ts';

type Coming = RouteInput<typeof contract>['body'];
type Reply = RouteReply<typeof contract>;

/** Who comes, and the groups that they are in once they have come. */
interface Arrival {
  readonly account: Account | null;
  readonly groups: readonly NamedGroup[];
  /** Whether these are the groups that they are in already. */
  readonly stays: boolean;
}

/**
 * The user whom the identity provider of their tenant has proved to be who they are. A new one gets no mail to choose a password.
 * Most have come before, and nothing about them changes: of these nobody waits for another.
 * Throws `E40301` for who is inactive or has no place in the client, `E40307` for a new one without a licence, `E40402`,
 * `E50301` when too many of the tenant wait.
 */
export async function provideSsoUser(
  deps: Pick<Dependencies, 'clock' | 'inTurn' | 'peers' | 'store'>,
  coming: Coming,
): Promise<Reply> {
  const { partnerId, preview } = coming;
  await knowPartner(deps, partnerId);
  const found = await deps.store.read(ofPartner(partnerId), (db) => arrivalOf(db, coming));
  if (preview || (found.account && found.stays)) return replyOf(coming, found);
  return deps.inTurn(partnerId, async (tx, licences) => letCome(tx, coming, licences, deps.clock.now()));
}

async function letCome(
  tx: Transaction<UserDb>,
  coming: Coming,
  licences: Licences,
  now: Date,
): Promise<Reply> {
  const { db } = tx;
  const { name, partnerId } = coming;
  const { account, groups, stays } = await arrivalOf(db, coming);
  const groupIds = groups.map(({ id }) => id);
  if (account && !stays) {
    const held = await lockAccount(db, partnerId, account.id);
    if (!held) throw new AppError('E40301');
    await setGroupsOf(db, account, groupIds);
    await tellOfGroups(tx, partnerId, [held]);
  }
  if (account) return replyOf(coming, { account, groups, stays });
  await requireLicence(db, partnerId, licences, 'E40307');
  const made = await addUser(
    tx,
    partnerId,
    { name, login: newLogin(loginIn(coming)), passwordHash: null, setupMailWithheld: true, groupIds },
    now,
  );
  return { ...replyOf(coming, { account: made, groups, stays: true }), created: true };
}

async function arrivalOf(db: UserDb, coming: Coming): Promise<Arrival> {
  const { client, defaultGroupId, groupNames, partnerId } = coming;
  const account = await findByLogin(db, partnerId, loginIn(coming));
  if (client === 'portal' && !(account && hasAnyRole(account.role, identityRoutes.portalRoles))) {
    throw new AppError('E40301');
  }
  if (account) requireActive(account);
  if (client === 'player' && account && !account.isUser) throw new AppError('E40301');
  // A company admin who is no user is in no group.
  if (account && !account.isUser) return { account, groups: [], stays: true };
  const held = account ? await groupIdsOf(db, account) : [];
  const ids = [
    ...(groupNames === undefined ? held : []),
    ...(defaultGroupId === undefined ? [] : [defaultGroupId]),
  ];
  const groups = await findGroups(db, partnerId, { ids, names: groupNames ?? [] });
  const stays = groups.length === held.length && groups.every(({ id }) => held.includes(id));
  return { account, groups, stays };
}

function replyOf({ name, preview }: Coming, { account, groups }: Arrival): Reply {
  return {
    userId: account?.id ?? null,
    created: preview && account === null,
    name: account?.name ?? name,
    groups: groups.map(({ id, name: group }) => ({ id, name: group })),
  };
}

function loginIn({ identifier }: Coming): { email: string } | { loginUserId: string } {
  return identifier.includes('@') ? { email: identifier } : { loginUserId: identifier };
}
