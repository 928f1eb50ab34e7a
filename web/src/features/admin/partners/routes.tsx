import { NeedsTenant } from '../../../components/needs-tenant.tsx';
import { partnerBouncesPath, partnerListPath, partnerMenuPath } from '../../../components/partner-links.ts';
import { page, withTexts } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { partnerCreateFlow, partnerEditFlow } from './partner-flows.ts';

const createPage = (name: 'PartnerCreatePage' | 'PartnerCreateConfirmPage' | 'PartnerCreateCompletePage') =>
  page(() => import('./create-pages.tsx'), name);
const editPage = (name: 'PartnerEditPage' | 'PartnerEditConfirmPage' | 'PartnerEditCompletePage') =>
  page(() => import('./edit-pages.tsx'), name);

export const tenantPages = withTexts(
  ['partners', 'partnerForm', 'signUp', 'tenantMenu', 'summary'],
  [
    {
      path: partnerListPath,
      handle: { needs: 'listPartners' },
      ...page(() => import('./list-page.tsx'), 'PartnerListPage'),
    },
    {
      element: <FlowRoute flow={partnerCreateFlow} />,
      handle: { needs: 'createPartner' },
      children: [
        { path: partnerCreateFlow.paths.form, ...createPage('PartnerCreatePage') },
        { path: partnerCreateFlow.paths.confirm, ...createPage('PartnerCreateConfirmPage') },
        { path: partnerCreateFlow.paths.complete, ...createPage('PartnerCreateCompletePage') },
      ],
    },
    {
      element: <NeedsTenant />,
      children: [
        {
          element: <FlowRoute flow={partnerEditFlow} />,
          handle: { needs: 'updatePartner' },
          children: [
            { path: partnerEditFlow.paths.form, ...editPage('PartnerEditPage') },
            { path: partnerEditFlow.paths.confirm, ...editPage('PartnerEditConfirmPage') },
            { path: partnerEditFlow.paths.complete, ...editPage('PartnerEditCompletePage') },
          ],
        },
        {
          path: partnerMenuPath,
          handle: { needs: 'getPartner' },
          ...page(() => import('./menu-page.tsx'), 'TenantMenuPage'),
        },
        {
          path: partnerBouncesPath,
          handle: { needs: 'listBounces' },
          ...page(() => import('./bounces-page.tsx'), 'BouncesPage'),
        },
      ],
    },
  ],
);
