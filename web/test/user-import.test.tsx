import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/users/csv';
const checked = {
  status: 'checked',
  phase: null,
  progress: 1,
  line_errors: [] as object[],
  error_count: 0,
  more_errors: false,
  create_update_count: 15,
  create_count: 12,
  update_count: 1,
  unchanged_count: 2,
  delete_count: 1,
  mail_count: 11,
  unmailed_count: 0,
  licences: { needed: 11, left: 40 },
  failure: null,
};
const names = Array.from({ length: 12 }, (_, i) => `新人 ${i + 1}`);
const created = names.map((name, i) => ({
  line: i + 2,
  kind: 'created',
  id: null,
  name,
  login_id: `new-${i + 1}@example.com`,
  fields: [{ field: 'name', before: null, after: name }],
}));
const changed = {
  line: 14,
  kind: 'changed',
  id: 12,
  name: 'Taro',
  login_id: 'taro',
  fields: [
    { field: 'name', before: 'Taro', after: 'Jiro' },
    { field: 'password', before: null, after: null },
    { field: 'json', before: '{}', after: null },
    { field: 'group_ids', before: '3', after: '3,99' },
  ],
};
const deleted = { line: 15, kind: 'deleted', id: 13, name: 'Leaver', login_id: 'leaver', fields: [] };

let state: object;
/** What was sent to be applied or cancelled. */
let sent: unknown[];

beforeEach(async () => {
  await signInPartner();
  state = checked;
  sent = [];
  server.use(
    http.get(`${base}/status`, () => HttpResponse.json(state)),
    http.get(`${base}/changes`, ({ request }) => {
      const asked = new URL(request.url).searchParams;
      const q = asked.get('q') ?? '';
      const [page, perPage] = [Number(asked.get('page')), Number(asked.get('per_page'))];
      const people =
        Object(state).status === 'complete' ? created.map((one) => ({ ...one, id: 20 })) : created;
      const found = [...people, changed, deleted].filter(
        ({ kind, name }) => kind === asked.get('kind') && name.includes(q),
      );
      return HttpResponse.json({
        current_page: page,
        total_page: Math.ceil(found.length / perPage),
        total_count: found.length,
        changes: found.slice((page - 1) * perPage, page * perPage),
      });
    }),
    http.get('*/v1/partner/partners/7/groups', () =>
      HttpResponse.json({ groups: [{ id: 3, name: 'Sales', role: 0 }] }),
    ),
    http.post(`${base}/apply`, async ({ request }) => {
      sent.push(await request.json());
      state = { ...checked, status: 'complete' };
      return HttpResponse.json({});
    }),
    http.delete(base, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({});
    }),
    http.get('*/v1/partner/partners/7/users', () => HttpResponse.json({ ...onePage(0), users: [] })),
  );
});

const confirm = '/partner/users/csv-confirm?id=5';
const tab = (name: string) => screen.findByRole('tab', { name });
const submit = () => screen.getByRole('button', { name: 'インポートする' });
const deletionTick = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: '1人のユーザーを削除することを確認しました' });
const mailTick = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: 'パスワード設定メールを送信する（11人）' });

describe('Before an import is applied', () => {
  it('the page that begins one leads back to it', async () => {
    localStorage.setItem('portal.lastImport.7', '5');
    const { user } = renderApp('/partner/users/csv');
    await user.click(await screen.findByRole('link', { name: '確認画面に戻る' }));
    await waitFor(() => expect(address()).toBe(confirm));
  });

  it('the page that begins one tells of none that has ended', async () => {
    localStorage.setItem('portal.lastImport.7', '5');
    let asked = 0;
    server.use(
      http.get(`${base}/status`, () => {
        asked += 1;
        return HttpResponse.json({ ...checked, status: 'complete' });
      }),
    );
    renderApp('/partner/users/csv');
    await screen.findByRole('heading', { level: 1, name: 'CSVインポート' });
    await waitFor(() => expect(asked).toBe(1));
    expect(screen.queryByRole('link', { name: '確認画面に戻る' })).toBeNull();
  });

  it('the page tells how many, of which licences, and whom, in tabs with search and pages', async () => {
    const { reload, user } = renderApp(confirm);
    expect((await tab('作成 12')).getAttribute('aria-selected')).toBe('true');
    expect(await screen.findByText('必要 11件、空き 40件')).toBeTruthy();
    expect(await screen.findByText('新人 1')).toBeTruthy();
    expect(screen.queryByText('新人 11')).toBeNull();
    await user.click(screen.getByRole('button', { name: '2ページ' }));
    expect(await screen.findByText('新人 11')).toBeTruthy();

    const search = screen.getByRole('searchbox');
    await user.type(search, '12{Enter}');
    expect(await screen.findByText('新人 12')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('新人 11')).toBeNull());
    expect(address()).toBe(`${confirm}&q=12`);
    reload();
    expect(await screen.findByText('新人 12')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('12');
  });

  it('old and new values stand beside each other, groups by their names, a password as a change alone', async () => {
    const { user } = renderApp(confirm);
    await user.click(await tab('変更 1'));
    const row = (await screen.findByRole('link', { name: 'Taro' })).closest('tr');
    // In a column of its own, where there is room for one.
    const fields =
      within(row ?? document.body)
        .getAllByRole('cell')
        .at(-1) ?? document.body;
    await within(fields).findByText('Sales, ID 99');
    const told = within(fields)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(told).toEqual([
      '名前 Taro→ から Jiro',
      'パスワード 変更する',
      '追加情報（JSON） {}→ から （なし）',
      'グループ Sales→ から Sales, ID 99',
    ]);
    expect(address()).toBe(`${confirm}&kind=changed`);
  });

  it('the tabs go by the arrow keys', async () => {
    const { user } = renderApp(confirm);
    (await tab('作成 12')).focus();
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(await tab('削除 1'));
    expect(await screen.findByRole('link', { name: 'Leaver' })).toBeTruthy();
    await user.keyboard('{Home}{ArrowRight}');
    expect((await tab('変更 1')).getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{End}');
    expect(document.activeElement).toBe(await tab('削除 1'));
  });

  it('nobody is deleted without a tick that names how many', async () => {
    const { user } = renderApp(confirm);
    await tab('作成 12');
    await user.click(submit());
    expect(await screen.findByText('削除する場合は、チェックを入れてください。')).toBeTruthy();
    expect(document.activeElement).toBe(deletionTick());
    expect(deletionTick().getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
    await user.click(deletionTick());
    expect(screen.queryByText('削除する場合は、チェックを入れてください。')).toBeNull();
    await user.click(submit());
    await waitFor(() => expect(address()).toBe('/partner/users/csv-complete?id=5'));
    expect(sent).toEqual([{ batch_process_id: 5, send_mails: true, delete_count: 1 }]);
    // Who was created is there now.
    expect(await screen.findByRole('link', { name: '新人 1' })).toBeTruthy();
  });

  it('the mails are told by their number, and can be left out', async () => {
    const { user } = renderApp(confirm);
    await tab('作成 12');
    expect(mailTick().checked).toBe(true);
    await user.click(mailTick());
    expect(screen.getByText(/メールは送信されません。/)).toBeTruthy();
    await user.click(deletionTick());
    await user.click(submit());
    await waitFor(() => expect(sent).toEqual([{ batch_process_id: 5, send_mails: false, delete_count: 1 }]));
  });

  it('neither a tick nor a box is there where nobody is deleted or mailed, nor licences where they take none', async () => {
    state = { ...checked, delete_count: 0, mail_count: 0, licences: null };
    renderApp(confirm);
    await tab('作成 12');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByText('ライセンス')).toBeNull();
  });

  it('a file that changes nobody says so, without tabs', async () => {
    state = { ...checked, create_count: 0, update_count: 0, delete_count: 0, mail_count: 0 };
    renderApp(confirm);
    expect(await screen.findByText('変更されるユーザーはいません。')).toBeTruthy();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  it('it can be cancelled, and is then no longer offered', async () => {
    localStorage.setItem('portal.lastImport.7', '5');
    const { user } = renderApp(confirm);
    await tab('作成 12');
    await user.click(screen.getByRole('button', { name: '取り消す' }));
    await waitFor(() => expect(address()).toBe('/partner/users/csv'));
    expect(sent).toEqual([{ batch_process_id: 5 }]);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByText(/確認済みで、まだ反映していない/)).toBeNull();
    expect(localStorage.getItem('portal.lastImport.7')).toBeNull();
  });

  it('one that somebody else has applied meanwhile is shown as it is', async () => {
    state = { ...checked, delete_count: 0 };
    const { user } = renderApp(confirm);
    await tab('作成 12');
    server.use(
      http.post(`${base}/apply`, () => {
        state = { ...checked, status: 'complete', delete_count: 0 };
        return failure('E40034', 'この状態では操作できません。');
      }),
    );
    await user.click(submit());
    expect(await screen.findByText('この状態では操作できません。')).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/partner/users/csv-complete?id=5'));
  });
});

describe('After an import', () => {
  it('the page tells what happened to whom, and who was mailed', async () => {
    state = { ...checked, status: 'complete' };
    renderApp(confirm);
    expect(await screen.findByText(/パスワード設定メールを11人に送信します。/)).toBeTruthy();
    expect(address()).toBe('/partner/users/csv-complete?id=5');
    expect(await screen.findByText('新人 1')).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('who was not mailed is told, with the way to them', async () => {
    state = { ...checked, status: 'complete', mail_count: 0, unmailed_count: 11 };
    const { user } = renderApp('/partner/users/csv-complete?id=5');
    expect(await screen.findByText(/11人には、パスワード設定メールを送信していません。/)).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'パスワード未設定のユーザーを見る' }));
    await waitFor(() => expect(address()).toBe('/partner/users?passwordState=none'));
  });

  it('deleted people are no links any more', async () => {
    state = { ...checked, status: 'complete' };
    const { user } = renderApp('/partner/users/csv-complete?id=5');
    await user.click(await tab('削除 1'));
    expect(await screen.findByText('Leaver')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Leaver' })).toBeNull();
  });

  it('too few licences are one sentence with the numbers', async () => {
    const message = 'ライセンスが7件不足しています（必要: 12件、空き: 5件）。';
    state = {
      ...checked,
      status: 'complete',
      error_count: 1,
      line_errors: [{ line: 7, field: 'csv', code: 'E40008', message }],
    };
    renderApp(confirm);
    expect((await screen.findByRole('alert')).textContent).toBe(
      `${message}誤りは1件です。何も反映されていません。`,
    );
    expect(address()).toBe('/partner/users/csv-error?id=5');
    expect(screen.queryByText('CSVファイルに誤りのある行があります。')).toBeNull();
  });
});
