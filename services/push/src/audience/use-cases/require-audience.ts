import { findRecipients } from '@portal/contracts/internal';
import { fieldError } from '@portal/kernel';
import { ofPartner, olderThanAll } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findUsers, hasGroups } from '../data/people-repository.ts';
import type { Audience } from '../domain/audience.ts';
import { groups, people } from './keep-copies.ts';

/** Whom a push is to go to, as callers say it: group 0 and an empty list are as absent, which is everyone. */
export interface NamedAudience {
  readonly groupId?: number | null | undefined;
  readonly userIds?: readonly number[] | null | undefined;
}

/**
 * The audience that is named, of a group and users that the partner has. What no event has told of yet is asked for.
 * Throws `E40002` on userIds for both a group and users, `E40404` on groupId and `E40403` on userIds for what the partner lacks.
 */
export async function requireAudience(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  partnerId: number,
  named: NamedAudience,
): Promise<Audience> {
  const groupId = named.groupId || undefined;
  const userIds = [...new Set(named.userIds ?? [])].sort((a, b) => a - b);
  if (groupId !== undefined && userIds.length > 0) throw fieldError('E40002', 'userIds', 'groupOrUsers');
  if (groupId === undefined && userIds.length === 0) return 'all';
  const wanted = { groupIds: groupId === undefined ? [] : [groupId], userIds };
  const known = await deps.store.read(ofPartner(partnerId), async (db) => missing(db, partnerId, wanted));
  const lacked = known === undefined ? undefined : await ask(deps, partnerId, wanted);
  if (lacked === 'group') throw fieldError('E40404', 'groupId', 'notFound');
  if (lacked === 'user') throw fieldError('E40403', 'userIds', 'notFound');
  return groupId === undefined ? { userIds } : { groupId };
}

interface Recipients {
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}

/** What this service does not know; undefined where it knows all. */
async function missing(
  db: PushDb,
  partnerId: number,
  { groupIds, userIds }: Recipients,
): Promise<'group' | 'user' | undefined> {
  if (!(await hasGroups(db, partnerId, groupIds))) return 'group';
  const users = await findUsers(db, partnerId, userIds);
  return users.length < userIds.length ? 'user' : undefined;
}

/** Asks the user service, whose answer is exact at this moment, and keeps it as if events had told it. Answers what is missing then. */
async function ask(
  { clock, peers, store }: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  partnerId: number,
  { groupIds, userIds }: Recipients,
): Promise<'group' | 'user' | undefined> {
  const found = await peers.call(findRecipients, {
    body: { partnerId, groupIds: [...groupIds], userIds: [...userIds] },
  });
  const at = clock.now();
  const toldNow = <S extends { readonly revision?: number | undefined }>(id: number, state: S) => {
    const { revision = olderThanAll } = state;
    return { id, partnerId, revision, at, state };
  };
  return store.write(ofPartner(partnerId), async (tx) => {
    await groups.take(
      tx,
      found.groups.map((state) => toldNow(state.groupId, state)),
    );
    await people.take(
      tx,
      found.users.map((state) => toldNow(state.userId, state)),
    );
    return missing(tx.db, partnerId, { groupIds, userIds });
  });
}
