import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { application, onePage, server } from './server.ts';
import { signInAdmin } from './sign-in.ts';

it.each([
  ['applications', {}],
  ['sales-applications', { sale_type: '2' }],
])('has one box over id, name and file name: %s', async (page, always) => {
  const asked: object[] = [];
  server.use(
    http.get('*/v1/admin/applications', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return HttpResponse.json({ ...onePage(1), applications: [application] });
    }),
  );
  await signInAdmin();
  const { user } = renderApp(`/admin/${page}`);
  await screen.findByRole('rowheader', { name: /Viewer/ });
  const box = screen.getByRole('searchbox', { name: 'ID・アプリケーション名・ファイル名で検索' });
  await user.type(box, 'viewer.uap{Enter}');
  await waitFor(() => expect(address()).toBe(`/admin/${page}?q=viewer.uap`));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ q: 'viewer.uap', ...always }));
  await screen.findByRole('rowheader', { name: /Viewer/ });
});
