import { recordPaths } from '../../../components/record/record-paths.ts';

export const adminPaths = recordPaths('/partner/admins');
