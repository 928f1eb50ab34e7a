import { identityRoutes } from '@portal/contracts';
import { useLocation } from 'react-router-dom';
import { type AccountArea, partnerLoginPath } from '../../lib/partner-code.ts';

export interface Area {
  /** What the addresses of its pages begin with. */
  readonly base: string;
  /** Where one signs in; people of the player do so there. */
  readonly login: string | undefined;
  readonly reset: Reset;
}

type Reset =
  | typeof identityRoutes.resetAdminPassword
  | typeof identityRoutes.resetPartnerPassword
  | typeof identityRoutes.resetUserPassword
  | typeof identityRoutes.initUserPassword;

const resets = {
  admin: identityRoutes.resetAdminPassword,
  partner: identityRoutes.resetPartnerPassword,
  user: identityRoutes.resetUserPassword,
} as const satisfies Record<AccountArea, Reset>;

/** The area of a page, by its address. */
export function useArea(): Area & { readonly name: AccountArea } {
  const [, first] = useLocation().pathname.split('/');
  const name = first === 'admin' || first === 'partner' ? first : 'user';
  return {
    name,
    base: `/${name}/password`,
    login: { admin: '/admin/login', partner: partnerLoginPath(), user: undefined }[name],
    reset: resets[name],
  };
}
