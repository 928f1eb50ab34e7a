import { foldCase } from '@portal/contracts';
import {
  changeAccountPassword as changeAccountPasswordContract,
  checkAccountPassword as checkAccountPasswordContract,
  findAccount as findAccountContract,
  findRecipients as findRecipientsContract,
  findUser,
  holdGroups as holdGroupsContract,
  releaseGroups,
  requireTwoAdmins as requireTwoAdminsContract,
  settleLogin as settleLoginContract,
  verifyLogin as verifyLoginContract,
} from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { findAccount, findByLogin, findUsers } from '../data/account-repository.ts';
import { dropHold } from '../data/group-repository.ts';
import { findRecipients } from '../data/recipient-views.ts';
import type { CallDependencies, Dependencies } from '../dependencies.ts';
import { loginNameOf } from '../domain/login.ts';
import { changeAccountPassword } from '../use-cases/change-account-password.ts';
import { checkAccountPassword } from '../use-cases/check-account-password.ts';
import { holdGroups } from '../use-cases/hold-groups.ts';
import { settleLogin } from '../use-cases/settle-login.ts';
import { requireTwoAdmins } from '../use-cases/two-admins.ts';
import { verifyLogin } from '../use-cases/verify-login.ts';

/** What other services ask. */
export function internalRoutes(deps: Dependencies): Implementation[] {
  /** Before anything is known of the account: one that does not exist has its place as well. */
  const placed = (
    account: string,
    { clientAddress: address = '' }: { readonly clientAddress?: string | undefined },
  ): CallDependencies => ({
    ...deps,
    passwords: deps.passwordQueue.of({ account, address }),
  });

  return [
    implement(verifyLoginContract, async ({ body }) =>
      verifyLogin(placed(`login ${body.partnerId} ${foldCase(loginNameOf(body))}`, body), body),
    ),

    implement(findAccountContract, async ({ body }) => {
      const { partnerId } = body;
      const account = await deps.store.read(ofPartner(partnerId), (db) =>
        'accountId' in body ? findAccount(db, partnerId, body.accountId) : findByLogin(db, partnerId, body),
      );
      if (!account) throw new AppError('E40403');
      const { email, generation, id, isUser, name, passwordHash, role } = account;
      return { id, name, email, role, isUser, generation, hasPassword: passwordHash !== null };
    }),

    implement(changeAccountPasswordContract, async ({ params, body }) =>
      changeAccountPassword(
        placed(`account ${params.id}`, body),
        { partnerId: body.partnerId, id: params.id },
        body,
      ),
    ),

    implement(settleLoginContract, async ({ body }) => settleLogin(deps, body)),

    implement(checkAccountPasswordContract, async ({ params: { id }, body }) => {
      await checkAccountPassword(placed(`account ${id}`, body), { ...body, id });
      return {};
    }),

    implement(findUser, async ({ body: { partnerId, id } }) => {
      const found = await deps.store.read(ofPartner(partnerId), (db) => findUsers(db, partnerId, [id]));
      if (found.length === 0) throw new AppError('E40403');
      return {};
    }),

    implement(findRecipientsContract, async ({ body }) =>
      deps.store.read(ofPartner(body.partnerId), async (db) => findRecipients(db, body)),
    ),

    implement(holdGroupsContract, async ({ body }) => holdGroups(deps, body)),

    implement(releaseGroups, async ({ body: { partnerId, assignmentId } }) => {
      await deps.store.write(ofPartner(partnerId), async ({ db }) => dropHold(db, partnerId, assignmentId));
      return {};
    }),

    implement(requireTwoAdminsContract, async ({ body }) => {
      await requireTwoAdmins(deps, body.partnerId, new Date(body.at));
      return {};
    }),
  ];
}
