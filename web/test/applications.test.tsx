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

it('of a unit goes to companies of that unit alone, whoever edits it', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/v1/admin/applications/4', () => HttpResponse.json({ ...application, unit_id: 7 })),
    http.get('*/v1/admin/partners', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('unit_id'));
      return HttpResponse.json({ ...onePage(0), partners: [] });
    }),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/applications/edit/?id=4');
  const all = 'ユニットのすべての企業（今後作成する企業を含む）';
  await user.click(await screen.findByRole('radio', { name: '企業を選ぶ' }));
  await user.click(screen.getByRole('combobox', { name: /配信先の企業/ }));
  await waitFor(() => expect(asked).toEqual(['7']));
  await user.click(screen.getByRole('radio', { name: all }));
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await screen.findByRole('heading', { name: '内容の確認' });
  expect(screen.getByText(all)).toBeTruthy();
});
