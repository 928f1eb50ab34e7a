import { partnerDetailPath, partnerListPath } from '../../../components/partner-links.ts';
import { page, withTexts } from '../../../lib/route-page.ts';

export const tenantPages = withTexts(
  ['partners'],
  [
    {
      path: partnerListPath,
      handle: { needs: 'listPartners' },
      ...page(() => import('./list-page.tsx'), 'PartnerListPage'),
    },
    {
      path: partnerDetailPath,
      handle: { needs: 'getPartner' },
      ...page(() => import('./detail-page.tsx'), 'PartnerDetailPage'),
    },
  ],
);
