import { identityRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import { changeAdminPassword } from '../use-cases/change-admin-password.ts';
import { loginAdmin } from '../use-cases/login-admin.ts';
import { logout } from '../use-cases/logout.ts';

type Dependencies = Parameters<typeof loginAdmin>[0] & Parameters<typeof changeAdminPassword>[0];

export function adminRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(identityRoutes.adminLogin, async ({ body }, call) => loginAdmin(deps, body, call)),

    implement(identityRoutes.adminLogout, async (_, { caller }) => {
      await logout(deps, caller);
      return {};
    }),

    implement(identityRoutes.changeAdminPassword, async ({ body }, { caller }) => {
      await changeAdminPassword(deps, caller, body);
      return {};
    }),
  ];
}
