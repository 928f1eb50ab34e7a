import { recordPaths } from '../../../components/record/record-paths.ts';

export const platformAdminPaths = recordPaths('/admin/admins', { pn: 'none' });
