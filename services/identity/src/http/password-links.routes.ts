import { hasAnyRole, identityRoutes } from '@portal/contracts';
import { type Call, type Implementation, implement } from '@portal/service-kit';
import { isGoodLink } from '../use-cases/check-link.ts';
import { resetAccountPassword } from '../use-cases/reset-account-password.ts';
import { resetAdminPassword } from '../use-cases/reset-admin-password.ts';
import { sendResetMailToAccount, sendResetMailToAddress } from '../use-cases/send-account-reset-mail.ts';
import { sendAdminResetMail } from '../use-cases/send-admin-reset-mail.ts';

type Dependencies = Parameters<typeof resetAdminPassword>[0] & Parameters<typeof sendResetMailToAddress>[0];
type Chosen = Parameters<typeof resetAccountPassword>[1];

/** Links to choose a password: asked for, checked, used. */
export function passwordLinkRoutes(deps: Dependencies): Implementation[] {
  /** Every call of people of a tenant serves all of them: which page a link leads to is a matter of their role. */
  async function reset(body: Chosen, { signedIn }: Pick<Call, 'signedIn'>) {
    const { isUser, ...account } = await resetAccountPassword(deps, body);
    signedIn({ kind: 'account', ...account });
    return { portal: hasAnyRole(account.role, identityRoutes.portalRoles), player: isUser };
  }

  return [
    implement(identityRoutes.sendAdminResetMail, async ({ body }, { language }) => {
      await sendAdminResetMail(deps, body.email, language);
      return {};
    }),

    implement(identityRoutes.sendPartnerResetMail, async ({ body }) => {
      await sendResetMailToAddress(deps, body);
      return {};
    }),

    implement(identityRoutes.sendUserResetMail, async ({ body }) => {
      await sendResetMailToAddress(deps, body);
      return {};
    }),

    implement(identityRoutes.sendResetMailTo, async ({ params }) => {
      await sendResetMailToAccount(deps, { partnerId: params.pid, accountId: params.id });
      return {};
    }),

    implement(identityRoutes.checkPasswordLink, async ({ query }) => ({
      status: await isGoodLink(deps, query.resetToken),
    })),

    implement(identityRoutes.resetAdminPassword, async ({ body }, { signedIn }) => {
      signedIn({ kind: 'admin', ...(await resetAdminPassword(deps, body)) });
      return {};
    }),

    implement(identityRoutes.resetPartnerPassword, async ({ body }, call) => reset(body, call)),
    implement(identityRoutes.resetUserPassword, async ({ body }, call) => reset(body, call)),
    implement(identityRoutes.initUserPassword, async ({ body }, call) => reset(body, call)),
  ];
}
