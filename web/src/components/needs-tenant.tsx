import { Navigate, Outlet, useSearchParams } from 'react-router-dom';
import { idOf } from '../lib/edit-link.ts';
import { adminHomePath } from './partner-links.ts';
import type { RecordPaths } from './record/record-paths.ts';
import { useParentOf } from './record/use-parent-of.ts';

/** Pages about a company, which the address names. Without one, home is where to choose. */
const Home = () => <Navigate to={adminHomePath} replace />;

export function NeedsTenant() {
  const [params] = useSearchParams();
  return idOf(params) === 0 ? <Home /> : <Outlet />;
}

/** Pages of records that belong to a company. */
export function NeedsTenantOf({ paths }: { paths: RecordPaths }) {
  return useParentOf(paths).id === 0 ? <Home /> : <Outlet />;
}
