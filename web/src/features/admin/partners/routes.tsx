import { tenantRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';
import { partnerDetailPath, partnerListPath } from './partner-links.ts';

export const tenantPages: RouteObject[] = [
  {
    path: partnerListPath,
    handle: { needs: tenantRoutes.listPartners },
    ...page(() => import('./list-page.tsx'), 'PartnerListPage'),
  },
  {
    path: partnerDetailPath,
    handle: { needs: tenantRoutes.getPartner },
    ...page(() => import('./detail-page.tsx'), 'PartnerDetailPage'),
  },
];
