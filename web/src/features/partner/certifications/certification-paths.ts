import { recordPaths } from '../../../components/record/record-paths.ts';

export const certificationPaths = recordPaths('/partner/certifications');
