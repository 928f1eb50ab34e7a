import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confirmChange } from './confirm.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, file, onePage, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

declare global {
  interface Window {
    /** The browser of these tests. */
    readonly happyDOM: { setViewport(size: { width: number; height: number }): void };
  }
}

const partner = '*/v1/partner/partners/7';
const taro = user(12, 'Taro');
const jiro = user(13, 'Jiro');

let sent: { call: string; body: unknown }[];

beforeEach(async () => {
  sent = [];
  await signInPartner();
  server.use(
    http.get(`${partner}/users`, ({ request }) => {
      const isAll = new URL(request.url).searchParams.get('per_page') === '1';
      return HttpResponse.json({ ...onePage(isAll ? 91 : 25), total_page: 3, users: [taro, jiro] });
    }),
    http.get(`${partner}/groups`, () =>
      HttpResponse.json({
        groups: [
          { id: 3, name: 'Sales', role: 0 },
          { id: 4, name: 'Field', role: 0 },
        ],
      }),
    ),
    http.post(`${partner}/users/groups`, async ({ request }) => {
      sent.push({ call: 'groups', body: await request.json() });
      return HttpResponse.json({ count: 25 });
    }),
  );
});

const press = ({ user: person }: RenderedApp, name: string) =>
  person.click(screen.getByRole('button', { name }));

async function openUsers(search = '') {
  const app = renderApp(`/partner/users${search}`);
  await screen.findByRole('rowheader', { name: /Taro/ });
  return app;
}

const selectPage = ({ user: person }: RenderedApp) =>
  person.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));

describe('the users who are selected', () => {
  it('join groups, all that match by the filter in its wire form', async () => {
    const app = await openUsers('?q=ta&userId=12&groupUnset=true&createdAtStart=2026-11-01T00:00:00Z');
    await selectPage(app);
    await press(app, '該当する25件すべてを選択');
    await press(app, 'グループに追加');
    const dialog = within(await screen.findByRole('dialog', { name: 'グループに追加しますか？' }));
    expect(dialog.getByText(/^選択した25人を/)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'グループに追加' })).toHaveProperty('disabled', true);
    await app.user.click(await dialog.findByRole('checkbox', { name: 'Field（一般）' }));
    await app.user.click(dialog.getByRole('button', { name: 'グループに追加' }));
    await screen.findByText('25人をグループに追加しました。');
    const filter = { q: 'ta', id: 12, group_unset: true, created_at_start: '2026-11-01T00:00:00Z' };
    expect(sent).toEqual([{ call: 'groups', body: { filter, expected_count: 25, add: [4] } }]);
    expect(screen.getByText('行を選択すると、まとめて操作できます。')).toBeTruthy();
  });

  it('leave groups by their ids, and nothing happens on another number', async () => {
    const app = await openUsers();
    await app.user.click(screen.getByRole('checkbox', { name: '「Jiro」を選択' }));
    await press(app, 'グループから外す');
    let dialog = within(await screen.findByRole('dialog', { name: 'グループから外しますか？' }));
    await app.user.click(await dialog.findByRole('checkbox', { name: 'Sales（一般）' }));
    await app.user.click(dialog.getByRole('button', { name: 'グループから外す' }));
    await screen.findByText('25人をグループから外しました。');
    expect(sent).toEqual([{ call: 'groups', body: { ids: [13], remove: [3] } }]);

    server.use(
      http.post(`${partner}/users/setup_mails`, () =>
        failure('E40034', 'ステータスが不正です。', [{ field: 'expected_count', message: '26' }]),
      ),
    );
    await selectPage(app);
    await press(app, '該当する25件すべてを選択');
    await press(app, '設定メールを再送信');
    dialog = within(await screen.findByRole('dialog', { name: 'パスワード設定メールを再送信しますか？' }));
    await app.user.click(dialog.getByRole('button', { name: '送信する' }));
    await screen.findByText('この間に該当する件数が変わったため、何も変更していません。');
    await press(app, '一覧を更新');
    await screen.findByText('行を選択すると、まとめて操作できます。');
  });

  it('are deleted, all that match, after it is told what the own account means for it', async () => {
    server.use(
      http.delete(`${partner}/users`, async ({ request }) => {
        sent.push({ call: 'delete', body: await request.json() });
        return HttpResponse.json({});
      }),
    );
    const app = await openUsers('?q=ta');
    await selectPage(app);
    await press(app, '該当する25件すべてを選択');
    await press(app, '削除');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/ご自身のアカウントが含まれている場合は、だれも削除されません。/)).toBeTruthy();
    await app.user.click(dialog.getByRole('button', { name: '削除' }));
    await screen.findByText('25人のユーザーを削除しました。');
    expect(sent).toEqual([{ call: 'delete', body: { filter: { q: 'ta' }, expected_count: 25 } }]);
  });

  it('are one less than all that match as soon as one is left out', async () => {
    const app = await openUsers();
    await selectPage(app);
    await press(app, '該当する25件すべてを選択');
    await app.user.click(screen.getByRole('checkbox', { name: '「Jiro」を選択' }));
    expect(screen.getByText('1件を選択中')).toBeTruthy();
    expect(screen.getByRole('checkbox', { name: '「Taro」を選択' })).toHaveProperty('checked', true);
  });
});

describe('the CSV of a list', () => {
  let asked: string[];
  beforeEach(() => {
    asked = [];
    server.use(
      http.post(`${partner}/users/csv/batches`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        query.delete('tz');
        asked.push(query.toString());
        return failure('E40010', 'CSVを作成中です。');
      }),
    );
  });
  const closeError = async (app: RenderedApp) => {
    await screen.findByText('CSVを作成中です。');
    await press(app, '閉じる');
  };

  it('is of these, of all, or of the selected rows, and says which', async () => {
    const app = await openUsers('?name=ta');
    await app.user.click(await screen.findByRole('button', { name: 'この25件をCSVダウンロード' }));
    await closeError(app);
    await press(app, 'その他のCSV形式');
    await app.user.click(await screen.findByRole('button', { name: '全91件をCSVダウンロード' }));
    await closeError(app);
    await app.user.click(screen.getByRole('checkbox', { name: '「Jiro」を選択' }));
    await press(app, 'CSV');
    await closeError(app);
    expect(asked).toEqual(['name=ta', '', 'ids=13']);
  });
});

describe('what a person keeps of a list', () => {
  it('is filters by name, which come back, go, and come back once more', async () => {
    const app = await openUsers('?name=ta&orderKey=name&page=2');
    await press(app, '保存した条件');
    await app.user.type(screen.getByRole('textbox', { name: '条件の名前' }), ' Mine {Enter}');
    await screen.findByRole('button', { name: 'Mine' });
    await app.user.keyboard('{Escape}');
    await press(app, '条件をクリア');
    await waitFor(() => expect(address()).toBe('/partner/users?orderKey=name'));
    await press(app, '保存した条件');
    await press(app, 'Mine');
    await waitFor(() => expect(address()).toBe('/partner/users?name=ta&orderKey=name'));
    await press(app, '保存した条件');
    await press(app, '保存した条件「Mine」を削除');
    expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull();
    await press(app, '元に戻す');
    await press(app, '保存した条件');
    expect(await screen.findByRole('button', { name: 'Mine' })).toBeTruthy();
  });

  it('is bounded in number and length', async () => {
    const saved = Array.from({ length: 10 }, (_, index) => ({ name: `f${index}`, address: 'name=x' }));
    localStorage.setItem('portal.lists', JSON.stringify({ users: { saved, hidden: [] } }));
    const app = await openUsers('?name=ta');
    await press(app, '保存した条件');
    expect(screen.getByText('保存できる条件は10件までです。')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: '条件の名前' })).toHaveProperty('maxLength', 60);
    await app.user.type(screen.getByRole('textbox', { name: '条件の名前' }), 'one more');
    expect(screen.getByRole('button', { name: '保存' })).toHaveProperty('disabled', true);
  });

  it('counts for nothing where it is none of it', async () => {
    localStorage.setItem('portal.lists', JSON.stringify({ users: { saved: 5, hidden: ['email', 7] } }));
    await openUsers();
    expect(screen.getByRole('columnheader', { name: 'メールアドレス' })).toBeTruthy();
  });

  it('is which columns it has, and goes to the server', async () => {
    let kept: unknown;
    server.use(
      http.get('*/v1/partner/preferences', () => HttpResponse.json({ other: 1 })),
      http.put('*/v1/partner/preferences', async ({ request }) => {
        kept = await request.json();
        return HttpResponse.json({});
      }),
    );
    const app = await openUsers();
    await press(app, '表示項目');
    await app.user.click(screen.getByRole('checkbox', { name: 'メールアドレス' }));
    expect(screen.queryByRole('columnheader', { name: 'メールアドレス' })).toBeNull();
    await waitFor(() =>
      expect(kept).toMatchObject({ other: 1, lists: { users: { hidden: ['email'], saved: [] } } }),
    );
  });
});

describe('what a person keeps of lists in two browsers', () => {
  const filter = (name: string) => ({ name, address: `name=${name}` });

  /** What the server keeps by now, while this browser has none of it. */
  function keptElsewhere(lists: object) {
    const store: { kept: { lists?: object } } = { kept: { lists } };
    localStorage.setItem('portal.preferencesKnown', '1');
    server.use(
      http.get('*/v1/partner/preferences', () => HttpResponse.json(store.kept)),
      http.put('*/v1/partner/preferences', async ({ request }) => {
        store.kept = (await request.json()) as object;
        return HttpResponse.json({});
      }),
    );
    return store;
  }

  it('stays where a column is hidden in the other one', async () => {
    const saved = ['one', 'two', 'three'].map(filter);
    const store = keptElsewhere({ users: { hidden: ['id'], saved }, files: { hidden: [], saved } });
    const app = await openUsers();
    await press(app, '表示項目');
    await app.user.click(screen.getByRole('checkbox', { name: 'メールアドレス' }));
    await waitFor(() =>
      expect(store.kept.lists).toEqual({
        users: { hidden: ['id', 'email'], saved },
        files: { hidden: [], saved },
      }),
    );
    // What the other one has hidden is so here from now on.
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: /^ID/ })).toBeNull());
    expect(localStorage.getItem('portal.unkeptLists')).toBeNull();
  });

  it('is the filters of both, the latest where they are too many', async () => {
    const saved = Array.from({ length: 10 }, (_, index) => filter(`f${index}`));
    const store = keptElsewhere({ users: { hidden: [], saved } });
    const app = await openUsers('?name=ta');
    await press(app, '保存した条件');
    await app.user.type(screen.getByRole('textbox', { name: '条件の名前' }), 'Mine{Enter}');
    await waitFor(() =>
      expect(store.kept.lists).toEqual({
        users: { hidden: [], saved: [...saved.slice(1), { name: 'Mine', address: 'name=ta' }] },
      }),
    );
    await press(app, '保存した条件「Mine」を削除');
    await waitFor(() => expect(store.kept.lists).toEqual({ users: { hidden: [], saved: saved.slice(1) } }));
  });
});

describe('on a phone', () => {
  const { happyDOM } = window;
  beforeEach(() => happyDOM.setViewport({ width: 390, height: 844 }));
  afterEach(() => happyDOM.setViewport({ width: 1440, height: 900 }));

  it('the actions of a row are behind one button, and those of the selection too', async () => {
    const app = await openUsers();
    expect(screen.queryByRole('button', { name: '削除: Jiro' })).toBeNull();
    await press(app, '操作: Jiro');
    expect(screen.getByRole('link', { name: '編集: Jiro' }).textContent).toBe('編集');
    await press(app, '削除: Jiro');
    const dialog = within(await screen.findByRole('dialog', { name: 'ユーザーを削除しますか？' }));
    await app.user.click(dialog.getByRole('button', { name: 'キャンセル' }));
    await app.user.click(screen.getByRole('checkbox', { name: '「Jiro」を選択' }));
    expect(screen.queryByRole('button', { name: 'グループに追加' })).toBeNull();
    await press(app, '選択した行の操作');
    await press(app, 'グループに追加');
    expect(await screen.findByRole('dialog', { name: 'グループに追加しますか？' })).toBeTruthy();
  });
});

describe('the files that are selected', () => {
  const files = [
    file(1, 'Tour', { groups: [{ id: 3, name: 'Sales' }] }),
    file(2, 'Book', { groups: [{ id: 0, name: '' }] }),
    file(5, 'Plan', { groups: [] }),
  ];
  beforeEach(() => {
    server.use(
      http.get(`${partner}/files`, () => HttpResponse.json({ ...onePage(3), files })),
      http.put(`${partner}/files/:id/groups`, async ({ params, request }) => {
        if (params['id'] === '5') return failure('E40019', 'アップロード中です。');
        sent.push({ call: String(params['id']), body: await request.json() });
        return HttpResponse.json({});
      }),
    );
  });

  it('get groups beside those that they have, one call each, up to one that is refused', async () => {
    const app = renderApp('/partner/files');
    await screen.findByRole('rowheader', { name: /Tour/ });
    await selectPage(app);
    await press(app, '配信グループの設定');
    const dialog = within(await screen.findByRole('dialog', { name: /まとめて設定しますか/ }));
    await app.user.click(await dialog.findByRole('checkbox', { name: 'Field（一般）' }));
    await app.user.click(dialog.getByRole('button', { name: '設定を確認' }));
    const effects = within(await screen.findByRole('list', { name: 'この変更の影響' }));
    expect((await effects.findAllByText('届くものが変わる人はいません')).length).toBeGreaterThan(0);
    await confirmChange(app.user, within(screen.getByRole('dialog')), '設定する');
    expect(
      await screen.findByText('「Plan」を変更できませんでした。アップロード中です。完了: 1件、残り: 1件'),
    ).toBeTruthy();
    expect(sent.map(({ call }) => call)).toEqual(['1']);
    // Who was to be told before still is.
    expect(sent[0]?.body).toEqual({ group_ids: [3, 4], preview_token: 'told' });
  });
});
