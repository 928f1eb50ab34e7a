import { type ErrorCode, userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { deleteAccounts, findAdmins, findUsers, hasAdmin } from '../data/account-repository.ts';
import { removeDevices } from '../data/device-repository.ts';
import { lockPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { isAdmin } from '../domain/role.ts';
import { publishSignedOut } from './sign-out.ts';
import { tellDeleted } from './tell-people.ts';

type Deletion = (
  deps: Pick<Dependencies, 'settled' | 'store'>,
  partnerId: number,
  ids: readonly number[],
  /** The account that asks; null for an administrator of the platform. */
  by: number | null,
) => Promise<void>;

/**
 * Deletes users with their devices, all or none. Throws `E40403` when the partner lacks one of them, `E40031` on ids when
 * no admin would be left, and for one's own account.
 */
export const deleteUsers: Deletion = async (deps, partnerId, ids, by) =>
  deletePeople(deps, partnerId, ids, { by, find: findUsers, missing: 'E40403' });

/**
 * Deletes company admins, who may be users as well, with their devices, all or none. Throws `E40401` when the partner
 * lacks one of them, `E40031` on ids when no admin would be left, and for one's own account.
 */
export const deleteCompanyAdmins: Deletion = async (deps, partnerId, ids, by) =>
  deletePeople(deps, partnerId, ids, { by, find: findAdmins, missing: 'E40401' });

async function deletePeople(
  { settled, store }: Pick<Dependencies, 'settled' | 'store'>,
  partnerId: number,
  ids: readonly number[],
  { by, find, missing }: { by: number | null; find: typeof findUsers; missing: ErrorCode },
): Promise<void> {
  const wanted = new Set(ids);
  const signOuts = await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    await lockPartner(db, partnerId);
    const people = await find(db, partnerId, [...wanted]);
    if (people.length < wanted.size) throw new AppError(missing);
    if (by !== null && wanted.has(by)) throw refused('ownAccount');
    const devices = await removeDevices(db, partnerId, [...wanted]);
    await deleteAccounts(db, partnerId, [...wanted]);
    if (people.some(({ role }) => isAdmin(role)) && !(await hasAdmin(db, partnerId))) {
      throw refused('lastAdmin');
    }
    for (const { accountId, uuid } of devices) {
      outbox.append(userEvents.deviceRemoved, {
        subject: uuid,
        partnerId,
        data: { userId: accountId, uuid },
      });
    }
    tellDeleted(
      outbox,
      partnerId,
      people.map(({ id }) => id),
    );
    return people.map(({ id }) => publishSignedOut(outbox, partnerId, { userId: id }));
  });
  await settled(signOuts);
}

function refused(reason: 'ownAccount' | 'lastAdmin'): AppError {
  return new AppError('E40031', [{ field: 'ids', message: reason }], { messageKey: 'deletionRefused' });
}
