import type { PasswordQueue } from '@portal/accounts';
import { identityRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import { checkLink } from '../use-cases/check-link.ts';
import { requireMails } from '../use-cases/require-mails.ts';
import { chooseFirstPassword, resetAccountPassword } from '../use-cases/reset-account-password.ts';
import { resetAdminPassword } from '../use-cases/reset-admin-password.ts';
import { sendResetMailToAccount, sendResetMailToAddress } from '../use-cases/send-account-reset-mail.ts';
import { sendAdminResetMail } from '../use-cases/send-admin-reset-mail.ts';

type Dependencies = { readonly passwordQueue: PasswordQueue } & Omit<
  Parameters<typeof resetAdminPassword>[0],
  'passwords'
> &
  Parameters<typeof sendResetMailToAddress>[0];
type Chosen = Parameters<typeof resetAccountPassword>[1];

/** Links to choose a password: asked for, checked, used. */
export function passwordLinkRoutes(deps: Dependencies): Implementation[] {
  /** Every call of people of a tenant serves all of them: which page a link leads to is a matter of their role. */
  async function reset(body: Chosen, call: Parameters<typeof resetAccountPassword>[2]) {
    await resetAccountPassword(deps, body, call);
    return {};
  }

  return [
    implement(identityRoutes.sendAdminResetMail, async ({ body }, call) => {
      await requireMails(deps);
      await sendAdminResetMail(deps, body.email, call);
      return {};
    }),

    implement(identityRoutes.sendPartnerResetMail, async ({ body }, call) => {
      await requireMails(deps);
      await sendResetMailToAddress(deps, body, call);
      return {};
    }),

    implement(identityRoutes.sendUserResetMail, async ({ body }, call) => {
      await requireMails(deps);
      await sendResetMailToAddress(deps, body, call);
      return {};
    }),

    implement(identityRoutes.sendResetMailTo, async ({ params }) => {
      await requireMails(deps);
      await sendResetMailToAccount(deps, { partnerId: params.pid, accountId: params.id });
      return {};
    }),

    implement(identityRoutes.checkPasswordLink, async ({ query }, call) =>
      checkLink(deps, query.resetToken, call),
    ),

    implement(identityRoutes.resetAdminPassword, async ({ body }, call) => {
      const passwords = deps.passwordQueue.of({ account: `link ${body.resetToken}`, address: call.address });
      await resetAdminPassword({ ...deps, passwords }, body, call);
      return {};
    }),

    implement(identityRoutes.resetPartnerPassword, async ({ body }, call) => reset(body, call)),
    implement(identityRoutes.resetUserPassword, async ({ body }, call) => reset(body, call)),
    implement(identityRoutes.initUserPassword, async ({ body }, call) => {
      await chooseFirstPassword(deps, body, call);
      return {};
    }),
  ];
}
