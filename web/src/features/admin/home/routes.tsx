import { page, withTexts } from '../../../lib/route-page.ts';

export const adminHomePages = withTexts(
  ['adminHome', 'partners'],
  [{ path: '/admin/menu', ...page(() => import('./home-page.tsx'), 'AdminHomePage') }],
);
