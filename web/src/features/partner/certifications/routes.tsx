import { secretFields } from '../../../components/certificates/secret-fields.ts';
import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { certificationPaths, tenantCertificationPaths } from './certification-paths.ts';

const texts = ['certifications', 'certificates'] as const;

export const certificationPages = recordRoutes({
  paths: certificationPaths,
  texts,
  needs: {
    // Senders of pushes may list the names alone.
    list: 'getCertification',
    get: 'getCertification',
    create: 'createCertification',
    update: 'updateCertification',
  },
  memoryOnly: secretFields,
  load: () => import('./certification-record.tsx'),
});

/** Their list for administrators, who read all of it there. */
export const tenantCertificationPages = recordRoutes({
  paths: tenantCertificationPaths,
  texts,
  needs: { list: 'listPartnerCertifications' },
  load: async () => ({ record: (await import('./certification-record.tsx')).tenantRecord }),
});
