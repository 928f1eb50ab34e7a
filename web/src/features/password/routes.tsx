import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../../lib/route-page.ts';

const resetMail = page(() => import('./reset-mail-page.tsx'), 'ResetMailPage');
const resetMailComplete = page(() => import('./outcome-pages.tsx'), 'ResetMailCompletePage');
const reset = page(() => import('./reset-pages.tsx'), 'ResetPage');
const resetComplete = page(() => import('./outcome-pages.tsx'), 'ResetCompletePage');
const resetExpired = page(() => import('./outcome-pages.tsx'), 'ResetExpiredPage');

const init = page(() => import('./reset-pages.tsx'), 'InitPage');
const initNotCompleted = page(() => import('./outcome-pages.tsx'), 'InitNotCompletedPage');

/** A forgotten password of an administrator, of people of the portal and of the player. */
const ofArea = (area: string): RouteObject[] => [
  { path: `/${area}/password/reset-mail`, ...resetMail },
  { path: `/${area}/password/reset-mail-complete`, ...resetMailComplete },
  { path: `/${area}/password/reset`, ...reset },
  { path: `/${area}/password/reset-complete`, ...resetComplete },
  { path: `/${area}/password/reset-session-expired`, ...resetExpired },
];

/** Pages without a sign-in. */
export const passwordLinkPages = withTexts(
  ['password'],
  [
    ...['admin', 'partner', 'user'].flatMap(ofArea),
    // Of the portal: who has signed a company up.
    ...['partner', 'user'].flatMap((area) => [
      { path: `/${area}/password/init`, ...init },
      { path: `/${area}/password/init-notcompleted`, ...initNotCompleted },
    ]),
  ],
);
