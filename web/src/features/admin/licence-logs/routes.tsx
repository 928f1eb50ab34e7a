import { NeedsTenant } from '../../../components/needs-tenant.tsx';
import { partnerLicenceLogPath } from '../../../components/partner-links.ts';
import { page, withTexts } from '../../../lib/route-page.ts';

const load = () => import('./list-page.tsx');

export const licenceLogPages = withTexts(
  ['licenceLogs', 'partners'],
  [
    {
      path: '/admin/license-logs',
      handle: { needs: 'listLicenceChanges' },
      ...page(load, 'LicenceLogPage'),
    },
    {
      element: <NeedsTenant />,
      children: [
        {
          path: partnerLicenceLogPath,
          handle: { needs: 'listPartnerLicenceChanges' },
          ...page(load, 'PartnerLicenceLogPage'),
        },
      ],
    },
  ],
);
