import {
  admitDevice as admitDeviceContract,
  changeAccountPassword as changeAccountPasswordContract,
  verifyLogin as verifyLoginContract,
} from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';
import type { Dependencies } from '../dependencies.ts';
import { admitDevice } from '../use-cases/admit-device.ts';
import { changeAccountPassword } from '../use-cases/change-account-password.ts';
import { verifyLogin } from '../use-cases/verify-login.ts';

/** What the identity service asks. */
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
  ];
}
