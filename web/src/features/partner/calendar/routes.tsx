import { page, withTexts } from '../../../lib/route-page.ts';

export const calendarPages = withTexts(
  ['calendar', 'effect'],
  [
    {
      path: '/partner/calendar',
      handle: { needs: 'getCalendar' },
      ...page(() => import('./calendar-page.tsx'), 'CalendarPage'),
    },
  ],
);
