import {
  admitDevice as admitDeviceContract,
  changeAccountPassword as changeAccountPasswordContract,
  findUser,
  verifyLogin as verifyLoginContract,
} from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { findUsers } from '../data/account-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { admitDevice } from '../use-cases/admit-device.ts';
import { changeAccountPassword } from '../use-cases/change-account-password.ts';
import { verifyLogin } from '../use-cases/verify-login.ts';

/** What other services ask. */
export function internalRoutes(dependencies: Dependencies): Implementation[] {
  return [
    implement(verifyLoginContract, async ({ body }) => verifyLogin(dependencies, body)),

    implement(admitDeviceContract, async ({ body: { platform, ...owner } }) => {
      await admitDevice(dependencies, owner, platform);
      return {};
    }),

    implement(changeAccountPasswordContract, async ({ params, body: { partnerId, ...change } }) => {
      await changeAccountPassword(dependencies, { partnerId, id: params.id }, change);
      return {};
    }),

    implement(findUser, async ({ body: { partnerId, id } }) => {
      const found = await dependencies.store.read(ofPartner(partnerId), (db) =>
        findUsers(db, partnerId, [id]),
      );
      if (found.length === 0) throw new AppError('E40403');
      return {};
    }),
  ];
}
