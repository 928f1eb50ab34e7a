import { recordPaths } from '../../../components/record/record-paths.ts';

export const applicationPaths = recordPaths('/admin/applications', { pn: 'none' });
export const salesApplicationPaths = recordPaths('/admin/sales-applications', { pn: 'none' });
