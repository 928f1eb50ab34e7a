import { secretFields } from '../../../components/certificates/secret-fields.ts';
import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { certificationPaths } from './certification-paths.ts';

export const certificationPages = recordRoutes({
  paths: certificationPaths,
  texts: ['certifications', 'certificates'],
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
