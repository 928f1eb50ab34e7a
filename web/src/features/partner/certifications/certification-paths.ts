import { recordPaths } from '../../../components/record/record-paths.ts';

export const certificationPaths = recordPaths('/partner/certifications');
/** For administrators, who read them. */
export const tenantCertificationPaths = recordPaths('/admin/partner/certifications', { parent: 'partner' });
