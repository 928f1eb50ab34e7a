import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../../lib/route-page.ts';
import { FlowRoute } from '../../ui/flow/flow.tsx';
import { type SignUpKind, signUpFlows } from './sign-up-flows.ts';

const form = page(() => import('./sign-up-pages.tsx'), 'SignUpPage');
const confirm = page(() => import('./sign-up-pages.tsx'), 'SignUpConfirmPage');
const complete = page(() => import('./sign-up-pages.tsx'), 'SignUpCompletePage');

const pagesOf = (kind: SignUpKind): RouteObject => {
  const { paths } = signUpFlows[kind];
  return {
    element: <FlowRoute key={kind} flow={signUpFlows[kind]} />,
    children: [
      { path: paths.form, ...form },
      { path: paths.confirm, ...confirm },
      { path: paths.complete, ...complete },
    ],
  };
};

/** Pages without a sign-in, for who is new. */
export const signUpPages = withTexts(
  ['signUp'],
  [
    pagesOf('trial'),
    pagesOf('free'),
    { path: '/signup/activate', ...page(() => import('./activate-page.tsx'), 'ActivatePage') },
  ],
);
