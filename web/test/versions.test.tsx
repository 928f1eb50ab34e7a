import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { confirmChange } from './confirm.ts';
import { address, renderApp } from './render-app.tsx';
import { effect, failure, file, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/files/1';
const sales = [{ id: 3, name: 'Sales' }];

const version = (number: number, more: object = {}) => ({
  version: number,
  state: 'former',
  file_name: 'tour.uap',
  file_size: 2048,
  sha256: 'abc',
  note: '',
  created_at: '2026-11-20T00:00:00Z',
  created_by: { id: 1, name: 'Hanako Sato' },
  live_from: '2026-11-20T00:00:00Z',
  live_until: '2026-11-21T00:00:00Z',
  restored_from: null,
  rollout: null,
  signed_url: `http://portal.test/storage/${number}`,
  ...more,
});

const all = [
  version(5, { state: 'reserved', live_until: null, live_from: '2026-12-01T00:00:00Z' }),
  version(4, { state: 'current', live_until: null, restored_from: 2 }),
  version(3, { note: '画面が開かない' }),
  version(2, { created_by: null }),
  version(1, { state: 'removed', signed_url: null }),
];

let restored: unknown[] = [];
let previewed: unknown[] = [];
const preview = (more: object) =>
  http.post(`${base}/preview`, async ({ request }) => {
    previewed.push(await request.json());
    return HttpResponse.json(effect(more));
  });
const versions = (shown: readonly object[]) =>
  http.get(`${base}/versions`, () => HttpResponse.json({ ...onePage(shown.length), versions: shown }));

beforeEach(() => {
  restored = [];
  previewed = [];
  server.use(
    http.get(base, () => HttpResponse.json({ ...file(1, 'Tour', { groups: sales }), signed_url: null })),
    versions(all),
    preview({ changes: { users: 1234, devices: 2345, names: ['Taro'] }, bytes: 2048 * 2345 }),
    http.post(`${base}/versions/:version/restore`, async ({ params, request }) => {
      restored.push([Number(params.version), await request.json()]);
      return HttpResponse.json({ version: 5 }, { status: 201 });
    }),
  );
});

async function open() {
  await signInPartner();
  const { user } = renderApp('/partner/files/detail/?id=1&pn=Sakura');
  const list = await screen.findByRole('list', { name: 'バージョン' });
  return { user, items: within(list).getAllByRole('listitem') };
}

describe('the versions of a file', () => {
  it('stand in a time line, with who made them and what became of them', async () => {
    const { items } = await open();
    expect(items.map((item) => within(item).getByText(/^バージョン \d$/).textContent)).toEqual([
      'バージョン 5',
      'バージョン 4',
      'バージョン 3',
      'バージョン 2',
      'バージョン 1',
    ]);
    const said = items.map((item) => item.textContent ?? '');
    expect(said[0]).toContain('予約');
    expect(said[1]).toContain('バージョン 2 から復元');
    expect(said[2]).toContain('画面が開かない');
    expect(said[2]).toContain('Hanako Sato');
    expect(said[2]).toContain('2 KB');
    expect(said[4]).toContain('削除済み');
    const waysBack = items.map((item) => within(item).queryByRole('button', { name: /に戻す$/ }) !== null);
    expect(waysBack).toEqual([false, false, true, true, false]);
    const downloads = items.map(
      (item) => within(item).queryByRole('button', { name: /ダウンロード$/ }) !== null,
    );
    expect(downloads).toEqual([true, true, true, true, false]);
  });

  it('are put back after it was told whom that reaches', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'バージョン 3 を元に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 3 に戻しますか？' }));
    expect(await dialog.findByText(/1,234/)).toBeTruthy();
    expect(restored).toEqual([]);
    server.use(versions([version(5, { state: 'current', restored_from: 3 }), ...all.slice(2)]));
    expect(dialog.getByText('バージョンが変わる', { exact: false }).textContent).toMatch(/2,345台/);
    expect(dialog.getByText(/^端末に送られるデータ: \d/)).toBeTruthy();
    await confirmChange(user, dialog, '元に戻す');
    await screen.findByText('バージョン 3 の内容をバージョン 5 として戻しました。');
    expect(previewed).toEqual([{ what: 'restore', body: { version: 3 } }]);
    expect(restored).toEqual([[3, { preview_token: 'told' }]]);
    expect(await screen.findByText('バージョン 3 から復元')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('are put back at a time, in stages, with a note', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'バージョン 3 を元に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 3 に戻しますか？' }));
    await user.click(dialog.getByRole('radio', { name: '日時を指定' }));
    // Without a time there is nothing to ask for.
    expect(dialog.getByRole('button', { name: '元に戻す' }).hasAttribute('disabled')).toBe(true);
    const tomorrow = new Date(Date.now() + 86_400_000);
    const local = new Date(tomorrow.getTime() - tomorrow.getTimezoneOffset() * 60_000)
      .toISOString()
      .slice(0, 16);
    fireEvent.change(dialog.getByLabelText(/^日時(?!を)/), { target: { value: local } });
    await user.click(dialog.getByRole('radio', { name: /^段階的に配信する/ }));
    await user.click(dialog.getByRole('button', { name: '10% → 100%' }));
    await user.type(dialog.getByRole('textbox', { name: /このバージョンの変更点/ }), '画面が直るまで');
    await confirmChange(user, dialog, '元に戻す');
    await screen.findByText(/にバージョン 3 の内容に戻すよう予約しました。$/);
    expect(restored).toEqual([
      [
        3,
        {
          preview_token: 'told',
          update_reservation_at: expect.stringMatching(/Z$/),
          version_note: '画面が直るまで',
          rollout: {
            stages: [{ percent: 10 }, { percent: 100, after: 'PT4H' }],
            halt: { failure_percent: 5, min_reports: 20 },
          },
        },
      ],
    ]);
  });

  it('say why one could not be put back, and what is true now', async () => {
    const { user } = await open();
    server.use(
      http.post(`${base}/versions/:version/restore`, () => failure('E40034', 'ステータスが不正です。')),
      versions([version(6, { state: 'current' })]),
    );
    await user.click(screen.getByRole('button', { name: 'バージョン 2 を元に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 2 に戻しますか？' }));
    await confirmChange(user, dialog, '元に戻す');
    await screen.findByText('ステータスが不正です。');
    expect(await screen.findByText('バージョン 6')).toBeTruthy();
  });

  it('tell what their return would do by now, where that is something else than what was told', async () => {
    const { user } = await open();
    let refusals = 0;
    server.use(
      http.post(
        `${base}/versions/:version/restore`,
        () => {
          refusals += 1;
          return failure('E40034', 'ステータスが不正です。', [
            { field: 'preview_token', message: '変わりました。' },
          ]);
        },
        { once: true },
      ),
    );
    await user.click(screen.getByRole('button', { name: 'バージョン 3 を元に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 3 に戻しますか？' }));
    await dialog.findByText('1,234人');
    server.use(preview({ gains: { users: 5, devices: 6, names: [] }, preview_token: 'anew' }));
    await confirmChange(user, dialog, '元に戻す');
    await dialog.findByText(/確認している間に状況が変わったため/);
    await dialog.findByText('5人');
    expect(dialog.queryByText('1,234人')).toBeNull();
    expect([refusals, restored]).toEqual([1, []]);
    await confirmChange(user, dialog, '元に戻す');
    await screen.findByText('バージョン 3 の内容をバージョン 5 として戻しました。');
    expect(restored).toEqual([[3, { preview_token: 'anew' }]]);
  });

  it('cannot be put back before it is told what that does, nor where that is refused', async () => {
    const { user } = await open();
    server.use(http.post(`${base}/preview`, () => failure('E40034', 'ステータスが不正です。')));
    await user.click(screen.getByRole('button', { name: 'バージョン 3 を元に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 3 に戻しますか？' }));
    await dialog.findByText('ステータスが不正です。');
    expect(dialog.getByRole('button', { name: '元に戻す' }).hasAttribute('disabled')).toBe(true);
    server.use(preview({ collisions: [{ kind: 'reservation', message: '更新予約があります。' }] }));
    await user.click(dialog.getByRole('button', { name: '再試行' }));
    await dialog.findByText('更新予約があります。');
    await confirmChange(user, dialog, '元に戻す');
    await waitFor(() => expect(restored).toHaveLength(1));
  });

  it('wait for another administrator where two people decide', async () => {
    server.use(
      http.get('*/v1/partner/partners/7/delivery_settings', () =>
        HttpResponse.json({ versions_kept: 10, approval_required: true }),
      ),
      http.post(`${base}/versions/:version/restore`, () =>
        HttpResponse.json({ approval_id: 8 }, { status: 202 }),
      ),
      http.get('*/v1/partner/partners/7/approvals/8', () => failure('E40401', '対象が見つかりません。')),
    );
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'バージョン 3 を元に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 3 に戻しますか？' }));
    await dialog.findByText(/ほかの管理者が承認するまで、何も変わりません/);
    await confirmChange(user, dialog, '承認を依頼');
    await screen.findByText('承認を依頼しました。ほかの管理者が承認すると反映されます。');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: '依頼を見る' }));
    await waitFor(() => expect(address()).toMatch(/^\/partner\/approvals\/detail\/\?id=8&/));
  });

  it('are not put back by a developer where groups get the file', async () => {
    await signInPartner({ role: 16 });
    renderApp('/partner/files/detail/?id=1&pn=Sakura');
    await screen.findByRole('list', { name: 'バージョン' });
    expect(screen.queryByRole('button', { name: /に戻す$/ })).toBeNull();
  });
});
