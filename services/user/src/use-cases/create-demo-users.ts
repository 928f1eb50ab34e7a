import { userEvents } from '@portal/contracts';
import { demoUsers, demoUsersSeal } from '@portal/contracts/internal';
import type { Transaction } from '@portal/service-kit';
import { findByLogin, insertAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import { findGroupByName, insertGroup } from '../data/group-repository.ts';
import { setGroupsOf } from '../data/membership-repository.ts';
import { findPartner, lockPartner } from '../data/partner-repository.ts';
import { countActiveUsers } from '../data/user-list.ts';
import type { CallDependencies } from '../dependencies.ts';
import { groupStateOf } from '../domain/group.ts';
import { userLicencesLeft } from '../domain/licence.ts';
import { personOf } from '../domain/person.ts';

const groupName = 'Demo';

/**
 * Makes the users that a new partner is to be tried with, and their group. Nothing for a partner that is gone; what
 * somebody has made of the same name already stays as it is, and nobody comes in beyond the licences.
 */
export async function createDemoUsers(
  { clock, passwords, seals }: Pick<CallDependencies, 'clock' | 'passwords' | 'seals'>,
  { db, outbox }: Transaction<UserDb>,
  { partnerId, sealed }: { readonly partnerId: number; readonly sealed: string },
): Promise<void> {
  if (!(await findPartner(db, partnerId))) return;
  const wanted = demoUsers.parse(JSON.parse(seals.open(sealed, demoUsersSeal(partnerId))));
  // Before the partner is held: whoever counts its licences does not wait for it.
  const hashed = await Promise.all(
    wanted.map(async ({ loginUserId, password }) => ({
      loginUserId,
      passwordHash: await passwords.hash(password),
    })),
  );

  const licences = await lockPartner(db, partnerId);
  let left = userLicencesLeft(licences, await countActiveUsers(db, partnerId)) ?? hashed.length;
  const now = clock.now();
  const groupId = await demoGroup({ db, outbox }, partnerId, now);
  for (const { loginUserId, passwordHash } of hashed) {
    if (left === 0) return;
    if (await findByLogin(db, partnerId, { loginUserId })) continue;
    const fields = {
      name: loginUserId,
      email: null,
      loginUserId,
      passwordHash,
      role: 0,
      isUser: true,
      json: null,
      maxDeviceCountLimitedFlag: false,
      maxDeviceCount: 0,
    };
    const account = await insertAccount(db, partnerId, fields, now);
    const groupIds = await setGroupsOf(db, account, [groupId]);
    outbox.append(userEvents.userCreated, {
      subject: account.id,
      partnerId,
      data: personOf(account, groupIds),
    });
    left -= 1;
  }
}

async function demoGroup({ db, outbox }: Transaction<UserDb>, partnerId: number, now: Date): Promise<number> {
  const known = await findGroupByName(db, partnerId, groupName);
  if (known) return known.id;
  const group = await insertGroup(db, partnerId, { name: groupName, note: '', role: 0 }, now);
  outbox.append(userEvents.groupCreated, { subject: group.id, partnerId, data: groupStateOf(group) });
  return group.id;
}
