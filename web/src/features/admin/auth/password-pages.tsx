import { identityRoutes } from '@portal/contracts';
import { useApi } from '../../../lib/api.ts';
import { PasswordComplete, PasswordForm } from '../../shared/password-form.tsx';

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
  return <PasswordComplete home={home} />;
}
