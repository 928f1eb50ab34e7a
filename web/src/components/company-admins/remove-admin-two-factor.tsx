import { type RouteContract, userRoutes } from '@portal/contracts';
import { TwoFactorRowButton } from '../users/two-factor-row-button.tsx';
import type { CompanyAdmin } from './admin-rules.ts';

interface RemoveAdminTwoFactorProps {
  admin: CompanyAdmin;
  /** Those who are listed with the admin. */
  list: RouteContract;
  remove: () => Promise<unknown>;
}

/** Of another admin who has two factors. */
export function RemoveAdminTwoFactor({ admin: { name }, list, remove }: RemoveAdminTwoFactorProps) {
  return (
    <TwoFactorRowButton
      name={name}
      remove={remove}
      stale={[list, userRoutes.listUsers, userRoutes.getUser]}
    />
  );
}
