import {
  changeProvisionedGroup as changeGroupContract,
  changeProvisionedUser as changeUserContract,
  createProvisionedGroup as createGroupContract,
  createProvisionedUser as createUserContract,
  deleteProvisionedGroup as deleteGroupContract,
  deleteProvisionedUser as deleteUserContract,
  getProvisionedGroup as getGroupContract,
  getProvisionedUser as getUserContract,
  listProvisionedGroups as listGroupsContract,
  listProvisionedUsers as listUsersContract,
  provideSsoUser as provideSsoUserContract,
  recordSsoLogin as recordSsoLoginContract,
} from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { findAccount } from '../data/account-repository.ts';
import { findGroup } from '../data/group-repository.ts';
import {
  listProvisionedGroups,
  listProvisionedUsers,
  provisionedGroups,
  provisionedUser,
} from '../data/provisioning-views.ts';
import type { UserList } from '../data/user-list.ts';
import type { Dependencies } from '../dependencies.ts';
import { provideSsoUser } from '../use-cases/provide-sso-user.ts';
import {
  changeProvisionedGroup,
  createProvisionedGroup,
  deleteProvisionedGroup,
} from '../use-cases/provision-group.ts';
import {
  changeProvisionedUser,
  createProvisionedUser,
  deleteProvisionedUser,
} from '../use-cases/provision-user.ts';
import { recordSsoLogin } from '../use-cases/record-sso-login.ts';

/** What is asked for the identity providers of tenants: who signs in by them, and whom they provision. */
export function provisioningRoutes(deps: Dependencies, list: UserList): Implementation[] {
  const { store } = deps;
  // No password is given here, so nobody waits for one.
  const inBackground = { ...deps, passwords: deps.passwordQueue.inBackground };
  return [
    implement(provideSsoUserContract, async ({ body }) => provideSsoUser(deps, body)),

    implement(recordSsoLoginContract, async ({ body }) => recordSsoLogin(deps, body)),

    implement(listUsersContract, async ({ body }) =>
      store.read(ofPartner(body.partnerId), (db) => listProvisionedUsers(db, list, body)),
    ),

    implement(getUserContract, async ({ body: { id, partnerId } }) => {
      const user = await store.read(ofPartner(partnerId), (db) => findAccount(db, partnerId, id));
      if (!user?.isUser) throw new AppError('E40403');
      return provisionedUser(user);
    }),

    implement(createUserContract, async ({ body }) => createProvisionedUser(deps, body)),

    implement(changeUserContract, async ({ body }) => changeProvisionedUser(inBackground, body)),

    implement(deleteUserContract, async ({ body }) => {
      await deleteProvisionedUser(deps, body);
      return {};
    }),

    implement(listGroupsContract, async ({ body }) =>
      store.read(ofPartner(body.partnerId), (db) => listProvisionedGroups(db, body)),
    ),

    implement(getGroupContract, async ({ body: { id, partnerId, withMembers } }) =>
      store.read(ofPartner(partnerId), async (db) => {
        const group = await findGroup(db, partnerId, id);
        const [found] = group ? await provisionedGroups(db, partnerId, [group], withMembers) : [];
        if (!found) throw new AppError('E40404');
        return found;
      }),
    ),

    implement(createGroupContract, async ({ body }) => createProvisionedGroup(deps, body)),

    implement(changeGroupContract, async ({ body }) => changeProvisionedGroup(deps, body)),

    implement(deleteGroupContract, async ({ body }) => {
      await deleteProvisionedGroup(deps, body);
      return {};
    }),
  ];
}
