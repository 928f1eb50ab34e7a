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
import type { CallDependencies, Dependencies } from '../dependencies.ts';
import { loginNameOf } from '../domain/login.ts';
import { changeAccountPassword } from '../use-cases/change-account-password.ts';
import { holdGroups } from '../use-cases/hold-groups.ts';
import { verifyLogin } from '../use-cases/verify-login.ts';

/** What other services ask. */
export function internalRoutes(dependencies: Dependencies): Implementation[] {
  /** Before anything is known of the account: one that does not exist has its place as well. */
  const placed = (
    account: string,
    { clientAddress: address = '' }: { readonly clientAddress?: string | undefined },
  ): CallDependencies => ({
    ...dependencies,
    passwords: dependencies.passwordQueue.of({ account, address }),
  });

  return [
    implement(verifyLoginContract, async ({ body }) =>
      verifyLogin(placed(`login ${body.partnerId} ${loginNameOf(body).toLowerCase()}`, body), body),
    ),

    implement(findAccountContract, async ({ body }) => {
      const { partnerId } = body;
      const account = await dependencies.store.read(ofPartner(partnerId), (db) =>
        'accountId' in body ? findAccount(db, partnerId, body.accountId) : findByLogin(db, partnerId, body),
      );
      if (!account) throw new AppError('E40403');
      const { email, generation, id, name, passwordHash, role } = account;
      return { id, name, email, role, generation, hasPassword: passwordHash !== null };
    }),

    implement(changeAccountPasswordContract, async ({ params, body }) =>
      changeAccountPassword(
        placed(`account ${params.id}`, body),
        { partnerId: body.partnerId, id: params.id },
        body,
      ),
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
