import { page, withTexts } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { certificationCreateFlow, certificationEditFlow, certificationPath } from './certification-flows.ts';

type Pages = typeof import('./certification-pages.tsx');
const part = (name: keyof Pages) => page(() => import('./certification-pages.tsx'), name);

/** The one certificate of the operator. */
export const operatorCertificationPages = withTexts(
  ['certificates'],
  [
    {
      path: certificationPath,
      handle: { needs: 'getOperatorCertification' },
      ...part('CertificationPage'),
    },
    {
      element: <FlowRoute flow={certificationCreateFlow} />,
      handle: { needs: 'createOperatorCertification' },
      children: [
        { path: certificationCreateFlow.paths.form, ...part('CertificationCreatePage') },
        { path: certificationCreateFlow.paths.confirm, ...part('CertificationCreateConfirmPage') },
        { path: certificationCreateFlow.paths.complete, ...part('CertificationCreateCompletePage') },
      ],
    },
    {
      element: <FlowRoute flow={certificationEditFlow} />,
      handle: { needs: 'updateOperatorCertification' },
      children: [
        { path: certificationEditFlow.paths.form, ...part('CertificationEditPage') },
        { path: certificationEditFlow.paths.confirm, ...part('CertificationEditConfirmPage') },
        { path: certificationEditFlow.paths.complete, ...part('CertificationEditCompletePage') },
      ],
    },
  ],
);
