import { page, withTexts } from '../../../lib/route-page.ts';

export const summaryPages = withTexts(
  ['summary', 'partners'],
  [
    {
      path: '/partner/summary',
      handle: { needs: 'getSummary' },
      ...page(() => import('./summary-page.tsx'), 'SummaryPage'),
    },
  ],
);
