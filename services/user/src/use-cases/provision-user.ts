import type { RouteInput } from '@portal/contracts';
import type {
  changeProvisionedUser as changeContract,
  createProvisionedUser as createContract,
  deleteProvisionedUser as deleteContract,
  ProvisionedUser,
} from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount } from '../data/account-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { provisionedUser } from '../data/provisioning-views.ts';
import type { CallDependencies, Dependencies } from '../dependencies.ts';
import { newLogin } from '../domain/login.ts';
import { addUser, requireLicence } from './create-user.ts';
import { deleteUser } from './delete-people.ts';
import { updateUser } from './update-user.ts';

/** What a provisioning client does with users: nobody of the tenant does it. */

/**
 * Makes a user without a password, whom no mail asks to choose one. Throws `E40008` without a licence for an active one, `E40029`
 * on a login that is taken.
 */
export async function createProvisionedUser(
  deps: Pick<Dependencies, 'clock' | 'inTurn' | 'peers' | 'store'>,
  { active, externalId, login, name, partnerId }: RouteInput<typeof createContract>['body'],
): Promise<ProvisionedUser> {
  await knowPartner(deps, partnerId);
  return deps.inTurn(partnerId, async (tx, licences) => {
    if (active) await requireLicence(tx.db, partnerId, licences);
    const user = {
      login: newLogin(loginFields(login)),
      name,
      externalId,
      active,
      passwordHash: null,
      setupMailWithheld: true,
    };
    return provisionedUser(await addUser(tx, partnerId, user, deps.clock.now()));
  });
}

/** Changes a user as `updateUser` does, and throws what that throws. */
export async function changeProvisionedUser(
  deps: Pick<CallDependencies, 'clock' | 'inTurn' | 'passwords' | 'settled' | 'store'>,
  { id, login, partnerId, ...changes }: RouteInput<typeof changeContract>['body'],
): Promise<ProvisionedUser> {
  await updateUser(deps, partnerId, id, { ...changes, ...(login !== undefined && loginFields(login)) }, null);
  const user = await deps.store.read(ofPartner(partnerId), (db) => findAccount(db, partnerId, id));
  // Deleted since.
  if (!user) throw new AppError('E40403');
  return provisionedUser(user);
}

/** Deletes a user. Throws `E40403`, `E40034` on another version, `E40031` when no admin would be left. */
export async function deleteProvisionedUser(
  deps: Pick<Dependencies, 'inTurn' | 'settled'>,
  { id, partnerId, version }: RouteInput<typeof deleteContract>['body'],
): Promise<void> {
  await deleteUser(deps, partnerId, id, version);
}

function loginFields(login: string): { email: string } | { loginUserId: string } {
  return login.includes('@') ? { email: login } : { loginUserId: login };
}
