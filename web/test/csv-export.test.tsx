import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useCsvExport } from '../src/lib/csv-export.ts';
import { changeLanguage } from '../src/lib/i18n.ts';
import { renderApp } from './render-app.tsx';
import { failure, onePage, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

const batches = '*/users/csv/batches';

beforeEach(async () => {
  await signInPartner();
  server.use(
    http.get('*/v1/partner/partners/7/users', () =>
      HttpResponse.json({ ...onePage(1), users: [user(3, 'Taro')] }),
    ),
    http.post(batches, () => HttpResponse.json({ id: 5, users_csv_batch_id: 5 }, { status: 201 })),
    http.get(`${batches}/5/url`, () => HttpResponse.json({ signed_url: 'http://portal.test/storage/u' })),
  );
});

const status = (more: object) =>
  HttpResponse.json({ id: 5, status: 'processing', progress: 0, row_count: 0, ...more });
const button = () => screen.findByRole('button', { name: 'CSVダウンロード' });

describe('an export', () => {
  it('is asked for, followed, and downloaded', async () => {
    const zones: (string | null)[] = [];
    const states = [status({ progress: 0.5, row_count: 9 }), status({ status: 'complete', row_count: 18 })];
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    server.use(
      http.post(batches, ({ request }) => {
        zones.push(new URL(request.url).searchParams.get('tz'));
        return HttpResponse.json({ id: 5, users_csv_batch_id: 5 }, { status: 201 });
      }),
      http.get(`${batches}/5`, () => states.shift() ?? status({})),
      http.get('*/storage/u', () => new HttpResponse('n', { status: 206 })),
    );
    const app = renderApp('/partner/users');
    await app.user.click(await button());
    const bar = await screen.findByRole('progressbar');
    await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('50'));
    await waitFor(() => expect(clicked).toHaveBeenCalled(), { timeout: 6000 });
    expect(clicked.mock.contexts[0]).toHaveProperty('href', 'http://portal.test/storage/u');
    expect(await screen.findByText('CSVを作成しました（18件）。ダウンロードを開始します。')).toBeTruthy();
    expect(await button()).toBeTruthy();
    expect(zones).toEqual([Intl.DateTimeFormat().resolvedOptions().timeZone]);
    expect(sessionStorage.getItem('csv-export:users:7')).toBeNull();
    clicked.mockRestore();
  });

  it('of one row says so, and of many with their number as it is written', async () => {
    const counts = [1, 1234];
    await changeLanguage('en');
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    server.use(
      http.get(`${batches}/5`, () => status({ status: 'complete', row_count: counts.shift() })),
      http.get('*/storage/u', () => new HttpResponse('n', { status: 206 })),
    );
    const app = renderApp('/partner/users');
    for (const told of ['1 row', '1,234 rows']) {
      await app.user.click(await screen.findByRole('button', { name: 'Download CSV' }));
      expect(await screen.findByText(`The CSV is ready (${told}). The download begins.`)).toBeTruthy();
    }
    clicked.mockRestore();
    await changeLanguage('ja');
  });

  it.each([
    ['failed', () => status({ status: 'failed' }), 'CSVのダウンロードに失敗しました。'],
    ['refused', () => failure('E40301', '権限がありません。'), '権限がありません。'],
  ])('that %s is told', async (_, answer, message) => {
    server.use(http.get(`${batches}/5`, answer));
    const app = renderApp('/partner/users');
    await app.user.click(await button());
    expect(await screen.findByText(message)).toBeTruthy();
    await app.user.click(await screen.findByRole('button', { name: '閉じる' }));
    expect(await button()).toBeTruthy();
  });

  it('whose file is not there is told', async () => {
    server.use(
      http.get(`${batches}/5`, () => status({ status: 'complete' })),
      http.get('*/storage/u', () => new HttpResponse(null, { status: 404 })),
    );
    const app = renderApp('/partner/users');
    await app.user.click(await button());
    expect(
      await screen.findByText('CSVファイルを取得できませんでした。もう一度お試しください。'),
    ).toBeTruthy();
  });

  it('while another runs is refused in the words of the server', async () => {
    server.use(http.post(batches, () => failure('E40010', '一括処理がすでに実行中です。')));
    const app = renderApp('/partner/users');
    await app.user.click(await button());
    expect(await screen.findByText('一括処理がすでに実行中です。')).toBeTruthy();
  });

  it('that is stopped is told to the server, and forgotten when it is gone', async () => {
    const cancelled = vi.fn(() => HttpResponse.json({}));
    server.use(
      http.get(`${batches}/5`, () => status({ status: 'a newer one' })),
      http.delete(`${batches}/5`, cancelled),
    );
    let app = renderApp('/partner/users');
    await app.user.click(await button());
    // It is shown before the server has answered; only from then on does a reload find it.
    await waitFor(() => expect(sessionStorage.getItem('csv-export:users:7')).toBe('5'));
    app = app.reload();
    await app.user.click(await screen.findByRole('button', { name: 'CSVの作成を中止' }));
    await waitFor(() => expect(cancelled).toHaveBeenCalled());
    expect(await button()).toBeTruthy();

    sessionStorage.setItem('csv-export:users:7', '5');
    server.use(http.get(`${batches}/5`, () => failure('E40401', '見つかりません。')));
    app.reload();
    expect(await button()).toBeTruthy();
    expect(screen.queryByText('見つかりません。')).toBeNull();
  });

  it.each([
    ['stopped', [[5]]],
    ['left', []],
  ])('that is %s before the server has named it is cancelled then, or goes on', async (how, cancels) => {
    const created = Promise.withResolvers<{ id: number }>();
    const cancel = vi.fn(async () => undefined);
    const calls = { create: () => created.promise, status: vi.fn(), url: vi.fn(), cancel };
    const told = { onComplete: vi.fn(), onFailed: vi.fn() };
    const { result, unmount } = renderHook(() => useCsvExport('users:7', calls, told));
    act(() => result.current.start());
    expect(result.current.step).toBe('gettingBatchId');
    if (how === 'left') unmount();
    else act(() => result.current.cancel());
    await act(async () => created.resolve({ id: 5 }));
    expect(cancel.mock.calls).toEqual(cancels);
    expect(calls.status).not.toHaveBeenCalled();
    expect(told.onFailed).not.toHaveBeenCalled();
  });
});
