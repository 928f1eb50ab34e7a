import { recordPaths } from '../../../components/record/record-paths.ts';

export const partnerAdminPaths = recordPaths('/admin/partner-admins', { parent: 'partner' });
