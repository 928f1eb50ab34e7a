import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { idOf } from '../lib/edit-link.ts';
import { adminHomePath } from './partner-links.ts';
import { ChosenTenant } from './tenant.ts';
import { usePartner, usePartnerCrumbs } from './use-partner-crumbs.ts';

/** Pages of what a company holds, for administrators. The company is the `id` of a list's address, the `partner` of a detail's. */
export function TenantOfAddress() {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const isOfOne = /\/detail\/?$/.test(pathname);
  const about = {
    id: idOf(params, isOfOne ? 'partner' : 'id'),
    name: params.get('pn') ?? '',
  };
  const { name } = usePartner(about);
  const crumbs = usePartnerCrumbs(about);
  if (about.id === 0) return <Navigate to={adminHomePath} replace />;
  return (
    <ChosenTenant value={{ id: about.id, name, isOwn: false, crumbs }}>
      <Outlet />
    </ChosenTenant>
  );
}
