import { page, withTexts } from '../../../lib/route-page.ts';

export const unitPages = withTexts(
  ['units', 'partners'],
  [
    {
      path: '/admin/outsourcing',
      handle: { needs: 'listUnits' },
      ...page(() => import('./list-page.tsx'), 'UnitListPage'),
    },
  ],
);
