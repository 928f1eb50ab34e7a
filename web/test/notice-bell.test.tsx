import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const patience = { timeout: 15_000 };

const notice = (id: number, more: object = {}) => ({
  id,
  kind: 'export_ready',
  data: { batch_id: 40 + id, export: 'users', row_count: 1234 },
  link: `/partner/exports/users/${40 + id}`,
  read: false,
  created_at: '2026-11-21T09:00:00Z',
  ...more,
});

/** What the server has: what is read stays so. */
function serve(notices: ReturnType<typeof notice>[], perPage = 10) {
  const asked: unknown[] = [];
  server.use(
    http.get('*/v1/partner/notices', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? '1');
      return HttpResponse.json({
        current_page: page,
        total_page: Math.ceil(notices.length / perPage),
        total_count: notices.length,
        unread_count: notices.filter(({ read }) => !read).length,
        notices: notices.slice((page - 1) * perPage, page * perPage),
      });
    }),
    http.put('*/v1/partner/notices/read', async ({ request }) => {
      const body: { ids?: number[]; all?: true } = (await request.json()) as never;
      asked.push(body);
      for (const one of notices) if (body.all || body.ids?.includes(one.id)) one.read = true;
      return HttpResponse.json({});
    }),
  );
  return asked;
}

beforeEach(() => signInPartner());
afterEach(() => vi.unstubAllGlobals());

const openBell = async (name: RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }, patience));
const list = async () => screen.findByRole('group', { name: 'お知らせ' });

describe('the bell', () => {
  it.each([
    ['outdated', '「案内」は途中で状況が変わったため、アップロードした内容は反映されませんでした。'],
    ['refused', '「案内」は途中でグループに割り当てられたため、アップロードした内容は反映されませんでした。'],
  ])('tells why an upload came to nothing: %s', async (reason, words) => {
    const data = { file_id: 9, name: '案内', file_name: 'a.uap', file_deleted: false, reason };
    serve([notice(1, { kind: 'upload_failed', link: '/partner/files', data })]);
    renderApp('/partner/menu');
    await openBell(/未読1件/);
    expect(await within(await list()).findByText(words)).toBeTruthy();
  });

  it('tells how many are unread, and each says what happened and leads there', async () => {
    const asked = serve([
      notice(4, {
        kind: 'licence_ending',
        link: '/partner/summary',
        data: { license_expired_on: '2026-12-21T00:00:00Z', days: 30 },
      }),
      notice(3, {
        kind: 'upload_failed',
        link: '/partner/files',
        data: { file_id: 9, name: '案内', file_name: 'a.uap', file_deleted: true, reason: 'expired' },
      }),
      notice(2, {
        kind: 'import_ended',
        link: '/partner/users/csv-complete?id=8',
        data: {
          batch_process_id: 8,
          result: 'refused',
          create_count: 0,
          update_count: 0,
          delete_count: 0,
          error_count: 3,
        },
      }),
      notice(1),
    ]);
    server.use(
      http.get('*/users/csv/batches/41', () =>
        HttpResponse.json({ id: 41, status: 'complete', progress: 1, row_count: 1234 }),
      ),
    );
    renderApp('/partner/menu');
    await openBell(/未読4件/);
    const links = within(await list()).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      '契約の終了まであと30日以内です（2026/12/21まで）。',
      '「案内」のアップロードは24時間送信がなかったため終了しました。',
      'ユーザーのインポートにエラーが3件あるため、何も変更していません。',
      'ユーザー一覧のCSV（1,234件）をダウンロードできます。',
    ]);
    await userEvent.click(links[3] as HTMLElement);
    await screen.findByRole('button', { name: 'ダウンロード' }, patience);
    expect(address()).toBe('/partner/exports/users/41');
    expect(asked).toEqual([{ ids: [1] }]);
    expect(screen.queryByRole('group', { name: 'お知らせ' })).toBeNull();
    await screen.findByRole('button', { name: /未読3件/ }, patience);
  });

  it('marks all as read, goes to older ones, and closes with Escape', async () => {
    const asked = serve([notice(2), notice(1)], 1);
    renderApp('/partner/menu');
    await openBell(/未読2件/);
    const panel = within(await list());
    await userEvent.click(await panel.findByRole('button', { name: '以前のお知らせ' }));
    await waitFor(() =>
      expect(panel.getByRole('link').getAttribute('href')).toBe('/partner/exports/users/41'),
    );
    await userEvent.click(panel.getByRole('button', { name: 'すべて既読にする' }));
    const bell = await screen.findByRole('button', { name: /未読なし/ }, patience);
    expect(asked).toEqual([{ all: true }]);
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(bell);
  });

  it('says that there are none', async () => {
    renderApp('/partner/menu');
    await openBell(/未読なし/);
    await within(await list()).findByText('お知らせはありません');
  });

  it('offers another try where the notices cannot be had', async () => {
    server.use(http.get('*/v1/partner/notices', () => failure('E40301', '権限がありません。')));
    renderApp('/partner/menu');
    await openBell(/未読なし/);
    const panel = within(await list());
    const again = await panel.findByRole('button', { name: '再試行' }, patience);
    serve([notice(1)]);
    await userEvent.click(again);
    await panel.findByRole('link', undefined, patience);
  });
});

describe('a notice that comes', () => {
  it('is told without taking the focus, and counted', async () => {
    const notices: ReturnType<typeof notice>[] = [];
    serve(notices);
    const sent = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    server.use(
      http.get('*/v1/partner/notices/stream', ({ request }) => {
        expect(request.headers.get('authorization')).toMatch(/^Bearer /);
        // After what the list has told, so that nothing between the two is missed.
        expect(request.headers.get('last-event-id')).toBe('0');
        const body = new ReadableStream<Uint8Array>({ start: (controller) => sent.resolve(controller) });
        return new HttpResponse(body, { headers: { 'content-type': 'text/event-stream' } });
      }),
    );
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        addEventListener() {}
        postMessage() {}
        close() {}
      },
    );
    Object.defineProperty(navigator, 'locks', {
      configurable: true,
      value: { request: async (_name: string, _options: object, work: () => Promise<void>) => work() },
    });
    renderApp('/partner/menu');
    const bell = await screen.findByRole('button', { name: /未読なし/ }, patience);
    bell.focus();
    const stream = await sent.promise;
    notices.unshift(notice(5));
    const bytes = new TextEncoder().encode(
      `:\n\nevent: notice\nid: 5\ndata: ${JSON.stringify(notice(5))}\n\n`,
    );
    // In two pieces, as a network may bring it.
    stream.enqueue(bytes.slice(0, 30));
    stream.enqueue(bytes.slice(30));
    await screen.findByText(/ダウンロードできます/, undefined, patience);
    expect(await screen.findByRole('button', { name: /未読1件/ }, patience)).toBe(document.activeElement);
    Reflect.deleteProperty(navigator, 'locks');
  });
});
