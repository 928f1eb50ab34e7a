import { type RouteContract, userRoutes } from '@portal/contracts';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RowButton } from '../../ui/list/row-actions.tsx';
import { RemoveTwoFactor } from '../users/remove-two-factor.tsx';
import type { CompanyAdmin } from './admin-rules.ts';

interface RemoveAdminTwoFactorProps {
  admin: CompanyAdmin;
  /** Those who are listed with the admin. */
  list: RouteContract;
  remove: () => Promise<unknown>;
}

/** Of another admin who has two factors. */
export function RemoveAdminTwoFactor({ admin: { name }, list, remove }: RemoveAdminTwoFactorProps) {
  const { t } = useTranslation('users');
  const [asking, setAsking] = useState(false);
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
        remove={remove}
        stale={[list, userRoutes.listUsers, userRoutes.getUser]}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
