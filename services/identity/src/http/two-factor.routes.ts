import type { PasswordQueue } from '@portal/accounts';
import { twoFactorRoutes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { isTwoFactorRequired, requireTwoFactor } from '../data/security-settings-repository.ts';
import { beginTwoFactor } from '../use-cases/begin-two-factor.ts';
import { renewRecoveryCodes, turnTwoFactorOff, turnTwoFactorOn } from '../use-cases/change-two-factor.ts';
import { readTwoFactor } from '../use-cases/read-two-factor.ts';
import { removeAccountTwoFactor, removeAdminTwoFactor } from '../use-cases/remove-two-factor.ts';
import { secondFactorAdmin } from '../use-cases/second-factor-admin.ts';
import { secondFactorPartner } from '../use-cases/second-factor-partner.ts';

type Dependencies = { readonly passwordQueue: PasswordQueue } & Parameters<typeof turnTwoFactorOn>[0] &
  Parameters<typeof secondFactorAdmin>[0] &
  Parameters<typeof secondFactorPartner>[0];

/** Two factors: of oneself, of others who have lost them, and whether they are required. */
export function twoFactorRoutesOf(deps: Dependencies): Implementation[] {
  const { store } = deps;
  return [
    implement(twoFactorRoutes.adminSecondFactor, async ({ body }, call) =>
      secondFactorAdmin(deps, body, call),
    ),
    implement(twoFactorRoutes.partnerSecondFactor, async ({ body }, call) =>
      secondFactorPartner(deps, body, call),
    ),

    implement([twoFactorRoutes.getAdminTwoFactor, twoFactorRoutes.getPartnerTwoFactor], async (_, call) =>
      readTwoFactor(deps, call),
    ),

    implement(
      [twoFactorRoutes.beginAdminTwoFactor, twoFactorRoutes.beginPartnerTwoFactor],
      async ({ body: { password } }, call) => {
        const { address, caller } = call;
        const account = caller.kind === 'admin' ? `admin ${caller.adminId}` : `account ${caller.accountId}`;
        const passwords = deps.passwordQueue.of({ account, address });
        return beginTwoFactor({ ...deps, passwords }, call, password);
      },
    ),

    implement(
      [twoFactorRoutes.enableAdminTwoFactor, twoFactorRoutes.enablePartnerTwoFactor],
      async ({ body: { code } }, call) => ({ recoveryCodes: await turnTwoFactorOn(deps, call, code) }),
    ),

    implement(
      [twoFactorRoutes.disableAdminTwoFactor, twoFactorRoutes.disablePartnerTwoFactor],
      async ({ body: { code } }, call) => {
        await turnTwoFactorOff(deps, call, code);
        return {};
      },
    ),

    implement(
      [twoFactorRoutes.renewAdminRecoveryCodes, twoFactorRoutes.renewPartnerRecoveryCodes],
      async ({ body: { code } }, call) => ({ recoveryCodes: await renewRecoveryCodes(deps, call, code) }),
    ),

    implement(twoFactorRoutes.getSecuritySettings, async ({ params: { pid } }) => ({
      twoFactorRequired: await store.read(ofPartner(pid), (db) => isTwoFactorRequired(db, pid)),
    })),

    implement(twoFactorRoutes.updateSecuritySettings, async ({ params: { pid }, body }) => {
      await store.write(ofPartner(pid), ({ db }) => requireTwoFactor(db, pid, body.twoFactorRequired));
      return {};
    }),

    implement(twoFactorRoutes.getPlatformSecuritySettings, async (_, { scope }) => ({
      twoFactorRequired: await store.read(scope, (db) => isTwoFactorRequired(db, null)),
    })),

    implement(twoFactorRoutes.updatePlatformSecuritySettings, async ({ body }, { scope }) => {
      await store.write(scope, ({ db }) => requireTwoFactor(db, null, body.twoFactorRequired));
      return {};
    }),

    implement(
      [twoFactorRoutes.removeCompanyAdminTwoFactor, twoFactorRoutes.removePartnerAdminTwoFactor],
      async ({ params: { adminId: accountId, pid: partnerId } }, call) => {
        await removeAccountTwoFactor(deps, call, { partnerId, accountId }).catch((error: unknown) => {
          throw error instanceof AppError && error.code === 'E40403' ? new AppError('E40401') : error;
        });
        return {};
      },
    ),

    implement(
      twoFactorRoutes.removeUserTwoFactor,
      async ({ params: { id: accountId, pid: partnerId } }, call) => {
        await removeAccountTwoFactor(deps, call, { partnerId, accountId });
        return {};
      },
    ),

    implement(twoFactorRoutes.removeAdminTwoFactor, async ({ params: { adminId } }, call) => {
      await removeAdminTwoFactor(deps, call, adminId);
      return {};
    }),
  ];
}
