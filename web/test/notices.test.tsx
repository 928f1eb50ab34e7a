import { accessOf } from 'virtual:access';
import { noticeRoutes } from '@portal/example-service/contracts';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { createBrowserRouter } from 'react-router-dom';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { App } from '../src/app/app.tsx';
import { RequireSession } from '../src/app/guards.tsx';
import { Shell } from '../src/app/layouts/shell.tsx';
import { PageSpinner } from '../src/ui/feedback/states.tsx';
import { createPortalSystem } from '../src/ui/theme.ts';
import { noticePages } from './notices/routes.tsx';
import { noticeTexts } from './notices/texts.ts';
import { address } from './render-app.tsx';
import { onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

/** The record screen of `examples/service`: beside its declaration and its texts nothing of the web client is touched. */

// As `build/access.ts` makes them of the product's contracts.
const ownCalls = Object.fromEntries(
  Object.values<unknown>({ ...noticeRoutes, ...noticeRoutes.noticesCsv }).flatMap((value) =>
    typeof value === 'object' && value !== null && 'id' in value && 'access' in value
      ? [[value.id, value.access]]
      : [],
  ),
);

beforeAll(() => {
  Object.assign(accessOf, ownCalls);
  for (const [language, texts] of Object.entries(noticeTexts)) {
    i18next.addResourceBundle(language, 'notices', texts);
  }
});
afterAll(() => {
  for (const name of Object.keys(ownCalls)) Reflect.deleteProperty(accessOf, name);
  for (const language of Object.keys(noticeTexts)) i18next.removeResourceBundle(language, 'notices');
});

const bread = {
  id: 3,
  name: 'Bread',
  text: 'Fresh',
  published_at: null,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
};

beforeEach(async () => {
  await signInPartner();
  server.use(
    http.get('*/v1/partner/partners/7/notices', () => HttpResponse.json({ ...onePage(1), notices: [bread] })),
    http.get('*/v1/partner/partners/7/notices/3', () => HttpResponse.json(bread)),
  );
});

function open(path: string) {
  window.history.pushState(null, '', path);
  const routes = [
    {
      element: <RequireSession kind="partner" />,
      HydrateFallback: PageSpinner,
      children: [{ Component: Shell, children: [noticePages] }],
    },
  ];
  render(<App router={createBrowserRouter(routes)} system={createPortalSystem()} />);
  return userEvent.setup({ delay: null });
}

it('When the list is opened, then it shows the notices, and they are deleted after a question', async () => {
  const deleted: string[] = [];
  server.use(
    http.delete('*/notices/:id', ({ params }) => {
      deleted.push(String(params['id']));
      return HttpResponse.json({});
    }),
  );
  const user = open('/partner/notices');
  expect((await screen.findByRole('link', { name: 'Bread' })).getAttribute('href')).toContain(
    '/partner/notices/detail/?id=3',
  );
  await user.click(screen.getByRole('button', { name: /Bread.*削除|削除.*Bread/ }));
  const dialog = await screen.findByRole('dialog', { name: 'お知らせを削除しますか？' });
  await user.click(within(dialog).getByRole('button', { name: /削除/ }));
  await waitFor(() => expect(deleted).toEqual(['3']));
});

it('When a notice is created, then it is confirmed, sent and told to be there', async () => {
  let sent: unknown;
  server.use(
    http.post('*/notices', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ id: 9 }, { status: 201 });
    }),
  );
  const user = open('/partner/notices/create');
  await user.type(await screen.findByLabelText(/^件名/), 'Cakes');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await waitFor(() => expect(address()).toBe('/partner/notices/confirm'));
  await user.click(await screen.findByRole('button', { name: '作成する' }));
  expect(await screen.findByText('お知らせ「Cakes」を作成しました。')).toBeTruthy();
  expect(sent).toEqual({ name: 'Cakes', text: '' });
});

it('When a notice is edited, then the change is marked and patched', async () => {
  let sent: unknown;
  server.use(
    http.patch('*/notices/3', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({});
    }),
  );
  const user = open('/partner/notices/edit/?id=3&pn=Sakura');
  const name = await screen.findByLabelText(/^件名/);
  await user.clear(name);
  await user.type(name, 'Rolls');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  expect(await screen.findAllByText('変更あり')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: '保存する' }));
  expect(await screen.findByText('お知らせ「Rolls」を更新しました。')).toBeTruthy();
  expect(sent).toEqual({ name: 'Rolls' });
});

it('When the CSV is wanted, then it is exported in the background and downloaded', async () => {
  const calls: string[] = [];
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const told =
    (name: string, reply: object, status = 200) =>
    () => {
      calls.push(name);
      return HttpResponse.json(reply, { status });
    };
  server.use(
    http.post('*/notices/csv/batches', told('create', { id: 5, notices_csv_batch_id: 5 }, 201)),
    http.get(
      '*/notices/csv/batches/5',
      told('status', { id: 5, status: 'complete', progress: 1, row_count: 1 }),
    ),
    http.get(
      '*/notices/csv/batches/5/url',
      told('url', { signed_url: 'http://portal.test/storage/notices' }),
    ),
    http.get('*/storage/notices', () => new HttpResponse('n', { status: 206 })),
  );
  const user = open('/partner/notices');
  await user.click(await screen.findByRole('button', { name: /CSV/ }));
  await waitFor(() => expect(clicked).toHaveBeenCalled());
  expect(calls).toEqual(['create', 'status', 'url']);
  expect(clicked.mock.contexts[0]).toHaveProperty('href', 'http://portal.test/storage/notices');
  clicked.mockRestore();
});
