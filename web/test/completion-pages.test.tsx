import { waitFor } from '@testing-library/react';
import type { RouteObject } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { routes } from '../src/app/routes.tsx';
import { address, renderApp } from './render-app.tsx';
import { signInAdmin, signInPartner } from './sign-in.ts';

const pathsOf = ({ path, children = [] }: RouteObject): string[] => [
  ...(path === undefined ? [] : [path]),
  ...children.flatMap(pathsOf),
];

const isCompletion = (path: string) => /complete$/.test(path);
const completionPages = [...new Set(routes.flatMap(pathsOf).filter(isCompletion))];

describe('a page that says what was done', () => {
  it('is found among the routes, those of passwords too', () => {
    for (const path of [
      '/admin/password/complete',
      '/partner/password/complete',
      '/admin/password/reset-complete',
      '/partner/password/reset-mail-complete',
      '/user/password/reset-complete',
      '/partner/groups/complete',
      '/partner/users/csv-complete',
      '/partner/push-notifications/complete',
      '/partner/push-notifications/edit/complete',
      '/partner/certifications/complete',
      '/partner/certifications/edit/complete',
      '/partner/sso/complete',
      '/admin/partners/sso/complete',
      '/admin/databases/complete',
      '/admin/certification/complete',
      '/admin/certification/edit/complete',
    ])
      expect(completionPages).toContain(path);
  });

  it.each(completionPages)('%s claims nothing to who opens its address', async (path) => {
    const needsSession = !path.includes('/password/reset');
    if (needsSession) await (path.startsWith('/admin/') ? signInAdmin() : signInPartner());
    renderApp(path);
    await waitFor(() => expect(address()).not.toContain('complete'));
    // The way there is offered again, not a refusal or the login.
    expect(address()).toMatch(
      path.includes('/password/') ? /\/password\// : /^\/(?:(?:admin|partner)\/\w+|trial$|signup$)/,
    );
    expect(address()).not.toContain('login');
  });
});
