import { identityRoutes } from '@portal/contracts';
import { useLocation } from 'react-router-dom';
import { partnerCodeOf, partnerLoginPath } from '../../lib/partner-code.ts';

/** Whose password it is: an administrator's, that of people who use the portal, or of those who use the player alone. */
type AreaName = 'admin' | 'partner' | 'user';

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
} as const satisfies Record<AreaName, Reset>;

/** The area of a page, by its address. */
export function useArea(): Area & { readonly name: AreaName } {
  const [, first] = useLocation().pathname.split('/');
  const name = first === 'admin' || first === 'partner' ? first : 'user';
  return {
    name,
    base: `/${name}/password`,
    login: { admin: '/admin/login', partner: partnerLoginPath(), user: undefined }[name],
    reset: resets[name],
  };
}

/** Where a forgotten password begins; the company is known to who came from its login. */
export function resetMailPath(area: AreaName, search = ''): string {
  const code = area === 'admin' ? '' : partnerCodeOf(search);
  return `/${area}/password/reset-mail${code === '' ? '' : `?partner_code=${encodeURIComponent(code)}`}`;
}
