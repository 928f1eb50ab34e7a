import { page, withTexts } from '../../../lib/route-page.ts';

export const adminHomePages = withTexts(
  ['adminHome', 'partners', 'certificates'],
  [{ path: '/admin/menu', ...page(() => import('./home-page.tsx'), 'AdminHomePage') }],
);
