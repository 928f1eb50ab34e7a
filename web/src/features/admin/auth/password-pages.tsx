import { identityRoutes } from '@portal/contracts';
import { PasswordComplete, PasswordForm } from '../../../components/password-form.tsx';
import { useApi } from '../../../lib/api.ts';

const home = '/admin/menu';

export function AdminPasswordPage() {
  const api = useApi();
  return (
    <PasswordForm
      home={home}
      complete="/admin/password/complete"
      change={(body) => api.call(identityRoutes.changeAdminPassword, { body })}
    />
  );
}

export function AdminPasswordCompletePage() {
  return <PasswordComplete home={home} form="/admin/password/update" />;
}
