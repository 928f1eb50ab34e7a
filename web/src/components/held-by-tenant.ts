import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../lib/route-page.ts';

/** Pages of the company's area as administrators read them: the address names the company. */
export const heldByTenant = (children: RouteObject[]): RouteObject =>
  withTexts(
    ['partners'],
    [{ ...page(() => import('./tenant-of-address.tsx'), 'TenantOfAddress'), children }],
  );
