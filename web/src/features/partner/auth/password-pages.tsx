import { identityRoutes } from '@portal/contracts';
import { PasswordComplete, PasswordForm } from '../../../components/password-form.tsx';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

const home = '/partner/menu';

export function PartnerPasswordPage() {
  const api = useApi();
  const { partner } = usePartnerSession();
  return (
    <PasswordForm
      home={home}
      complete="/partner/password/complete"
      change={(body) => api.call(identityRoutes.changePartnerPassword, { body })}
      validate={async (password) => {
        const params = { pid: partner.id };
        return (await api.call(identityRoutes.validatePassword, { params, body: { password } })).valid;
      }}
    />
  );
}

export function PartnerPasswordCompletePage() {
  return <PasswordComplete home={home} form="/partner/password/update" />;
}
