import { identityRoutes, isValidPassword } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import { changePartnerPassword } from '../use-cases/change-partner-password.ts';
import { isGuessableFor } from '../use-cases/is-guessable-for.ts';
import { loginPartner } from '../use-cases/login-partner.ts';
import { logout } from '../use-cases/logout.ts';
import { stateUser } from '../use-cases/state-user.ts';

type Dependencies = Parameters<typeof loginPartner>[0] & Parameters<typeof changePartnerPassword>[0];

export function accountRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(identityRoutes.partnerLogin, async ({ body }, call) => loginPartner(deps, body, call)),

    implement(identityRoutes.partnerLogout, async (_, { caller }) => {
      await logout(deps, caller);
      return {};
    }),

    implement(identityRoutes.userLogout, async (_, { caller }) => {
      await logout(deps, caller);
      return {};
    }),

    implement(identityRoutes.changePartnerPassword, async ({ body }, call) => {
      await changePartnerPassword(deps, call, body);
      return {};
    }),

    implement(identityRoutes.validatePassword, async ({ body: { password } }, { caller }) => ({
      valid: isValidPassword(password) && !(await isGuessableFor(deps, caller, password)),
    })),

    implement(identityRoutes.userStatement, async (_, { caller }) => stateUser(deps, caller)),
  ];
}
