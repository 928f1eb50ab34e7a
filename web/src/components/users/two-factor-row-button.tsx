import type { RouteContract } from '@portal/contracts';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RowButton } from '../../ui/list/row-actions.tsx';
import { RemoveTwoFactor } from './remove-two-factor.tsx';

interface TwoFactorRowButtonProps {
  /** Whose they are. */
  name: string;
  remove: () => Promise<unknown>;
  /** What tells whether they have two factors. */
  stale: readonly RouteContract[];
}

/** Takes two factors away from somebody in a list who has them. */
export function TwoFactorRowButton({ name, remove, stale }: TwoFactorRowButtonProps) {
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
        stale={stale}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
