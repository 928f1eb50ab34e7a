import { identityRoutes, isValidPassword } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import { changePartnerPassword } from '../use-cases/change-partner-password.ts';
import { isGuessableFor } from '../use-cases/is-guessable-for.ts';
import { issueUserToken } from '../use-cases/issue-user-token.ts';
import { loginPartner } from '../use-cases/login-partner.ts';
import { logout, logoutOfPortal } from '../use-cases/logout.ts';

type Dependencies = Parameters<typeof loginPartner>[0] &
  Parameters<typeof changePartnerPassword>[0] &
  Parameters<typeof logoutOfPortal>[0];

export function accountRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(identityRoutes.partnerLogin, async ({ body }, call) => loginPartner(deps, body, call)),

    implement(identityRoutes.partnerLogout, async (_, call) => logoutOfPortal(deps, call)),

    implement(identityRoutes.userLogout, async (_, call) => {
      await logout(deps, call);
      return {};
    }),

    implement(identityRoutes.changePartnerPassword, async ({ body }, call) => {
      await changePartnerPassword(deps, call, body);
      return {};
    }),

    implement(identityRoutes.validatePassword, async ({ body: { password } }, { caller }) => ({
      valid: isValidPassword(password) && !(await isGuessableFor(deps, caller, password)),
    })),

    implement(identityRoutes.userStatement, async (_, { caller }) => issueUserToken(deps, caller)),
  ];
}
