import { page, withTexts } from '../../../lib/route-page.ts';

export const homePages = withTexts(
  ['home', 'partners'],
  [{ path: '/partner/menu', ...page(() => import('./home-page.tsx'), 'HomePage') }],
);
