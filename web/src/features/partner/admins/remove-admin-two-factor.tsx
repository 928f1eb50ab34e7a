import { companyAdminRoutes, twoFactorRoutes, userRoutes } from '@portal/contracts';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RemoveTwoFactor } from '../../../components/users/remove-two-factor.tsx';
import { useApi } from '../../../lib/api.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { RowButton } from '../../../ui/list/row-actions.tsx';
import type { CompanyAdmin } from './admin-rules.ts';

/** Of another admin who has two factors. */
export function RemoveAdminTwoFactor({ row: { id, name, twoFactor } }: { row: CompanyAdmin }) {
  const { t } = useTranslation('users');
  const may = useMay();
  const api = useApi();
  const { partner, user } = usePartnerSession();
  const [asking, setAsking] = useState(false);
  if (!twoFactor || id === user.id || !may('removeCompanyAdminTwoFactor')) return null;
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
        remove={() =>
          api.call(twoFactorRoutes.removeCompanyAdminTwoFactor, { params: { pid: partner.id, adminId: id } })
        }
        stale={[companyAdminRoutes.listCompanyAdmins, userRoutes.listUsers, userRoutes.getUser]}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
