import { type PasswordQueue } from '@portal/accounts';
import { foldCase, identityRoutes } from '@portal/contracts';
import { type Call, type Implementation, implement } from '@portal/service-kit';
import { changeAdminPassword } from '../use-cases/change-admin-password.ts';
import { loginAdmin } from '../use-cases/login-admin.ts';
import { logout } from '../use-cases/logout.ts';

type Dependencies = { readonly passwordQueue: PasswordQueue } & Omit<
  Parameters<typeof loginAdmin>[0] & Parameters<typeof changeAdminPassword>[0],
  'passwords'
>;

export function adminRoutes(deps: Dependencies): Implementation[] {
  const passwordsFor = ({ address }: Pick<Call, 'address'>, account: string) =>
    deps.passwordQueue.of({ account, address });

  return [
    implement(identityRoutes.adminLogin, async ({ body }, call) => {
      const passwords = passwordsFor(call, `login ${foldCase(body.email)}`);
      return loginAdmin({ ...deps, passwords }, body, call);
    }),

    implement(identityRoutes.adminLogout, async (_, call) => {
      await logout(deps, call);
      return {};
    }),

    implement(identityRoutes.changeAdminPassword, async ({ body }, call) => {
      const passwords = passwordsFor(call, `admin ${call.caller.adminId}`);
      await changeAdminPassword({ ...deps, passwords }, call, body);
      return {};
    }),
  ];
}
