import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../lib/route-page.ts';

/** Pages of the company's area as administrators read them, who choose the company by the address. */
export const tenantPages = (children: RouteObject[]): RouteObject =>
  withTexts(
    ['partners'],
    [{ ...page(() => import('./tenant-of-address.tsx'), 'TenantOfAddress'), children }],
  );
