import { limits, type Selection, userEvents } from '@portal/contracts';
import { slicesOf } from '@portal/database';
import { AppError } from '@portal/kernel';
import { concernsRecords } from '@portal/service-kit';
import { deleteAccounts, findAdmins, lackOfAdmins, lockAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import { removeDevices } from '../data/device-repository.ts';
import { versionOfUser } from '../data/provisioning-views.ts';
import { type AskedUsers, selectUsers } from '../data/user-filters.ts';
import type { Dependencies } from '../dependencies.ts';
import { publishSignedOut } from './sign-out.ts';
import { tellDeleted } from './tell-people.ts';

/**
 * Deletes the users who are selected with their devices, all or none. Throws `E40403` when the partner lacks one of them, `E40034`
 * when the filter shows another number by now, `E40031` when too few admins would be left, and for one's own account.
 */
export async function deleteUsers(
  deps: Pick<Dependencies, 'inTurn' | 'settled'>,
  partnerId: number,
  selection: Selection<AskedUsers>,
  /** The account that asks. */
  by: number,
): Promise<void> {
  const field = selection.ids ? 'ids' : 'filter';
  const select = async (db: UserDb) => selectUsers(db, partnerId, selection);
  await deletePeople(deps, partnerId, { by, field, select });
}

/** Deletes one user for provisioning, as `deleteUsers` does. Throws `E40034` on another version too. */
export async function deleteUser(
  deps: Pick<Dependencies, 'inTurn' | 'settled'>,
  partnerId: number,
  id: number,
  /** Which state of them the caller has seen. */
  version: string | undefined,
): Promise<void> {
  const select = async (db: UserDb) => {
    const ids = await selectUsers(db, partnerId, { ids: [id] });
    const user = await lockAccount(db, partnerId, id);
    if (version !== undefined && user && versionOfUser(user) !== version) throw new AppError('E40034');
    return ids;
  };
  await deletePeople(deps, partnerId, { by: null, field: 'ids', select });
}

/**
 * Deletes company admins, who may be users as well, with their devices, all or none. Throws `E40401` when the partner
 * lacks one of them, `E40031` on ids when too few admins would be left, and for one's own account.
 */
export async function deleteCompanyAdmins(
  deps: Pick<Dependencies, 'inTurn' | 'settled'>,
  partnerId: number,
  ids: readonly number[],
  /** The account that asks; null for an administrator of the platform. */
  by: number | null,
): Promise<void> {
  const wanted = [...new Set(ids)];
  const select = async (db: UserDb) => {
    const admins = await findAdmins(db, partnerId, wanted);
    if (admins.length < wanted.length) throw new AppError('E40401');
    return admins.map(({ id }) => id);
  };
  await deletePeople(deps, partnerId, { by, field: 'ids', select });
}

/** What is waited for: the sign-outs of more people take their time. */
const mostAwaited = limits.maxIdsPerDelete;

async function deletePeople(
  { inTurn, settled }: Pick<Dependencies, 'inTurn' | 'settled'>,
  partnerId: number,
  {
    by,
    field,
    select,
  }: { by: number | null; field: 'filter' | 'ids'; select: (db: UserDb) => Promise<number[]> },
): Promise<void> {
  const signOuts = await inTurn(partnerId, async ({ db, outbox }) => {
    const people = await select(db);
    concernsRecords(people);
    if (by !== null && people.includes(by)) throw refused(field, 'ownAccount');
    const awaited: string[] = [];
    let hasDeletedAdmin = false;
    for (const some of slicesOf(people)) {
      hasDeletedAdmin ||= (await findAdmins(db, partnerId, some)).length > 0;
      const devices = await removeDevices(db, partnerId, some);
      await deleteAccounts(db, partnerId, some);
      for (const { accountId, uuid } of devices) {
        outbox.append(userEvents.deviceRemoved, {
          subject: uuid,
          partnerId,
          data: { userId: accountId, uuid },
        });
      }
      tellDeleted(outbox, partnerId, some);
      const told = some.map((userId) => publishSignedOut(outbox, partnerId, { userId }));
      if (people.length <= mostAwaited) awaited.push(...told);
      await outbox.flush();
    }
    const lack = hasDeletedAdmin ? await lackOfAdmins(db, partnerId) : undefined;
    if (lack) throw refused(field, lack);
    return awaited;
  });
  await settled(signOuts);
}

function refused(field: 'filter' | 'ids', reason: 'ownAccount' | 'lastAdmin' | 'twoAdmins'): AppError {
  return new AppError('E40031', [{ field, message: reason }], { messageKey: 'deletionRefused' });
}
