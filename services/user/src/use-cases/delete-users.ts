import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { deleteAccounts, findUsers, hasAdmin } from '../data/account-repository.ts';
import { removeDevices } from '../data/device-repository.ts';
import { lockPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { isAdmin } from '../domain/role.ts';

/**
 * Deletes users with their devices, all or none.
 * Throws `E40403` when the partner lacks one of them, `E40031` when no admin would be left.
 */
export async function deleteUsers(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
  ids: readonly number[],
): Promise<void> {
  const wanted = new Set(ids);
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    await lockPartner(db, partnerId);
    const users = await findUsers(db, partnerId, [...wanted]);
    if (users.length < wanted.size) throw new AppError('E40403');
    const devices = await removeDevices(db, partnerId, [...wanted]);
    await deleteAccounts(db, partnerId, [...wanted]);
    if (users.some(({ role }) => isAdmin(role)) && !(await hasAdmin(db, partnerId))) {
      throw new AppError('E40031');
    }
    for (const { accountId, uuid } of devices) {
      outbox.append(userEvents.deviceRemoved, {
        subject: uuid,
        partnerId,
        data: { userId: accountId, uuid },
      });
    }
    for (const { id } of users) {
      outbox.append(userEvents.userDeleted, { subject: id, partnerId, data: { userId: id } });
    }
  });
}
