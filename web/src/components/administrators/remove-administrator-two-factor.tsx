import { type RouteContract, twoFactorRoutes } from '@portal/contracts';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../lib/api.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { RowButton } from '../../ui/list/row-actions.tsx';
import { RemoveTwoFactor } from '../users/remove-two-factor.tsx';
import type { Administrator } from './admin-rules.ts';
import { useIsSelf } from './use-is-self.ts';

interface RemoveAdministratorTwoFactorProps {
  admin: Administrator;
  /** What tells whether they have two factors. */
  stale: readonly RouteContract[];
}

/** Of another administrator who has two factors. */
export function RemoveAdministratorTwoFactor({ admin, stale }: RemoveAdministratorTwoFactorProps) {
  const { t } = useTranslation('users');
  const may = useMay();
  const api = useApi();
  const isSelf = useIsSelf();
  const [asking, setAsking] = useState(false);
  const { id, name, twoFactor } = admin;
  if (!twoFactor || isSelf(admin) || !may('removeAdminTwoFactor')) return null;
  return (
    <>
      <RowButton
        action={t('twoFactor.remove')}
        name={name}
        icon={<ShieldOff />}
        onClick={() => setAsking(true)}
      />
      <RemoveTwoFactor
        open={asking}
        name={name}
        remove={() => api.call(twoFactorRoutes.removeAdminTwoFactor, { params: { adminId: id } })}
        stale={stale}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
