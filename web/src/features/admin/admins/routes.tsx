import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { platformAdminPaths } from './platform-admin-paths.ts';

export const platformAdminPages = recordRoutes({
  paths: platformAdminPaths,
  texts: ['platformAdmins', 'administrators', 'users'],
  needs: { list: 'listAdmins', create: 'createAdmin', update: 'updateAdmin' },
  memoryOnly: ['password'],
  load: () => import('./platform-admin-record.tsx'),
});
