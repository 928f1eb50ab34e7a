import { type RouteContract, twoFactorRoutes } from '@portal/contracts';
import { useApi } from '../../lib/api.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { TwoFactorRowButton } from '../users/two-factor-row-button.tsx';
import type { Administrator } from './admin-rules.ts';
import { useIsSelf } from './use-is-self.ts';

interface RemoveAdministratorTwoFactorProps {
  admin: Administrator;
  /** What tells whether they have two factors. */
  stale: readonly RouteContract[];
}

/** Of another administrator who has two factors. */
export function RemoveAdministratorTwoFactor({ admin, stale }: RemoveAdministratorTwoFactorProps) {
  const may = useMay();
  const api = useApi();
  const isSelf = useIsSelf();
  const { id, name, twoFactor } = admin;
  if (!twoFactor || isSelf(admin) || !may('removeAdminTwoFactor')) return null;
  return (
    <TwoFactorRowButton
      name={name}
      remove={() => api.call(twoFactorRoutes.removeAdminTwoFactor, { params: { adminId: id } })}
      stale={stale}
    />
  );
}
