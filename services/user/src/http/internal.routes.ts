import {
  changeAccountPassword as changeAccountPasswordContract,
  findAccount as findAccountContract,
  findUser,
  holdGroups as holdGroupsContract,
  verifyLogin as verifyLoginContract,
} from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { findAccount, findByLogin, findUsers } from '../data/account-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeAccountPassword } from '../use-cases/change-account-password.ts';
import { holdGroups } from '../use-cases/hold-groups.ts';
import { verifyLogin } from '../use-cases/verify-login.ts';

/** What other services ask. */
export function internalRoutes(dependencies: Dependencies): Implementation[] {
  return [
    implement(verifyLoginContract, async ({ body }) => verifyLogin(dependencies, body)),

    implement(findAccountContract, async ({ body }) => {
      const { partnerId } = body;
      const account = await dependencies.store.read(ofPartner(partnerId), (db) =>
        'accountId' in body ? findAccount(db, partnerId, body.accountId) : findByLogin(db, partnerId, body),
      );
      if (!account) throw new AppError('E40403');
      const { email, generation, id, name, passwordHash, role } = account;
      return { id, name, email, role, generation, hasPassword: passwordHash !== null };
    }),

    implement(changeAccountPasswordContract, async ({ params, body: { partnerId, ...change } }) =>
      changeAccountPassword(dependencies, { partnerId, id: params.id }, change),
    ),

    implement(findUser, async ({ body: { partnerId, id } }) => {
      const found = await dependencies.store.read(ofPartner(partnerId), (db) =>
        findUsers(db, partnerId, [id]),
      );
      if (found.length === 0) throw new AppError('E40403');
      return {};
    }),

    implement(holdGroupsContract, async ({ body }) => holdGroups(dependencies, body)),
  ];
}
