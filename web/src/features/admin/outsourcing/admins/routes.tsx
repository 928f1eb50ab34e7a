import { Navigate, Outlet } from 'react-router-dom';
import { recordRoutes } from '../../../../components/record/record-routes.tsx';
import { useParentOf } from '../../../../components/record/use-parent-of.ts';
import { unitAdminPaths, unitPaths } from '../../../../components/unit-links.ts';
import { useAdminSession } from '../../../../lib/session/use-session.ts';

/** Without a unit in the address the pages are those of one's own; who has none chooses one first. */
function WithUnit() {
  const { unitId } = useAdminSession();
  const { id } = useParentOf(unitAdminPaths);
  return unitId === null && id === 0 ? <Navigate to={unitPaths.list} replace /> : <Outlet />;
}

export const unitAdminPages = {
  element: <WithUnit />,
  children: [
    recordRoutes({
      paths: unitAdminPaths,
      texts: ['unitAdmins', 'administrators', 'units', 'users'],
      needs: { list: 'listUnitAdmins', create: 'createUnitAdmin', update: 'updateUnitAdmin' },
      memoryOnly: ['password'],
      load: () => import('./unit-admin-record.tsx'),
    }),
  ],
};
