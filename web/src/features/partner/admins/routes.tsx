import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { adminPaths } from './admin-paths.ts';

export const companyAdminPages = recordRoutes({
  paths: adminPaths,
  texts: ['companyAdmins', 'users'],
  needs: { list: 'listCompanyAdmins', create: 'createCompanyAdmin', update: 'updateCompanyAdmin' },
  memoryOnly: ['password'],
  load: () => import('./admin-record.tsx'),
});
