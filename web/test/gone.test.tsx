import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { confirmChange } from './confirm.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, file, group, onePage, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7';
const admin = {
  id: 12,
  name: 'Taro',
  email: 'taro@example.com',
  login_user_id: null,
  two_factor: false,
  create_user_flag: false,
  last_login_at: null,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
};
const gone = {
  users: () => failure('E40403', 'ユーザーが見つかりません。'),
  groups: () => failure('E40404', 'グループが見つかりません。'),
  files: () => failure('E40405', 'ファイルが見つかりません。'),
  admins: () => failure('E40401', '見つかりません。'),
};
const meanwhile = /ほかの人が削除した可能性があります。/;

/** Who and what somebody else has deleted by now. */
let deleted: Set<string>;
const unlessDeleted = (of: keyof typeof gone, key: string, reply: object) => () =>
  deleted.has(key) ? gone[of]() : HttpResponse.json(reply);
const rest = <R extends { name: string }>(...rows: R[]) => rows.filter(({ name }) => !deleted.has(name));

beforeEach(async () => {
  deleted = new Set();
  await signInPartner();
  server.use(
    http.get(`${base}/users`, () => {
      const users = rest(user(12, 'Taro'), user(13, 'Jiro'));
      return HttpResponse.json({ ...onePage(users.length), users });
    }),
    http.get(`${base}/users/12`, unlessDeleted('users', 'Taro', user(12, 'Taro'))),
    http.get(`${base}/users/12/files`, unlessDeleted('users', 'Taro', { ...onePage(0), files: [] })),
    http.put(`${base}/users/12`, unlessDeleted('users', 'Taro', {})),
    http.delete(`${base}/users`, unlessDeleted('users', 'Taro', {})),
    http.get(`${base}/groups`, () => {
      const groups = rest(group(3, 'Sales'), group(4, 'Field'), group(5, 'Night'));
      return HttpResponse.json({ ...onePage(groups.length), groups });
    }),
    http.get(`${base}/groups/3`, unlessDeleted('groups', 'Sales', group(3, 'Sales'))),
    http.put(`${base}/groups/3`, unlessDeleted('groups', 'Sales', {})),
    http.delete(`${base}/groups/3`, unlessDeleted('groups', 'Sales', {})),
    http.get(`${base}/files`, () => HttpResponse.json({ ...onePage(0), files: [] })),
    http.get(`${base}/files/1`, unlessDeleted('files', 'Tour', { ...file(1, 'Tour'), signed_url: '/x' })),
    http.put(`${base}/files/1`, unlessDeleted('files', 'Tour', {})),
    http.post(`${base}/audience`, () => HttpResponse.json({ users: 1, devices: 2 })),
    http.put(`${base}/files/1/groups`, unlessDeleted('files', 'Tour', {})),
    http.get(`${base}/admins`, () => {
      const admins = rest(admin);
      return HttpResponse.json({ ...onePage(admins.length), admins });
    }),
    http.get(`${base}/admins/12`, unlessDeleted('admins', 'Taro', admin)),
    http.put(`${base}/admins/12`, unlessDeleted('admins', 'Taro', {})),
  );
});

const press = async ({ user }: RenderedApp, name: string) =>
  user.click(await screen.findByRole('button', { name }));
const pressInDialog = async ({ user }: RenderedApp, name: string) =>
  confirmChange(user, within(await screen.findByRole('dialog')), name);
const errorTold = async () => (await screen.findByRole('dialog', { name: 'エラー' })).textContent;

describe('saving what somebody else has deleted', () => {
  it.each([
    ['a user', '/partner/users/edit/?id=12', /^名前/, 'Taro', 'ユーザーが見つかりません。', '/partner/users'],
    [
      'a group',
      '/partner/groups/edit/?id=3',
      /^グループ名/,
      'Sales',
      'グループが見つかりません。',
      '/partner/groups',
    ],
    [
      'a company admin',
      '/partner/admins/edit/?id=12',
      /^名前/,
      'Taro',
      '見つかりません。',
      '/partner/admins',
    ],
    ['a file', '/partner/files/edit/?id=1', /^名前/, 'Tour', 'ファイルが見つかりません。', '/partner/files'],
  ])('says so of %s, with the list alone as the way on, which loses nothing', async (...row) => {
    const [, form, field, key, message, list] = row;
    const app = renderApp(form);
    await app.user.type(await screen.findByLabelText(field), ' again');
    await press(app, '確認へ進む');
    await screen.findByRole('heading', { level: 1, name: '内容の確認' });
    deleted.add(key);
    await confirmChange(app.user, screen, '保存する');
    expect(await screen.findByRole('heading', { name: message })).toBeTruthy();
    expect(screen.getByText(/削除されたか/)).toBeTruthy();
    expect(screen.queryByLabelText(field)).toBeNull();
    expect(screen.queryByRole('button', { name: '再試行' })).toBeNull();
    await app.user.click(screen.getByRole('link', { name: '一覧へ戻る' }));
    await waitFor(() => expect(address()).toBe(list));
  });
});

describe('a page of what somebody else has deleted', () => {
  it('does not show it any longer once a deletion was refused', async () => {
    const app = renderApp('/partner/users/detail/?id=12');
    await screen.findByRole('heading', { level: 1, name: 'Taro' });
    deleted.add('Taro');
    await press(app, 'ユーザーを削除');
    await pressInDialog(app, '削除');
    expect(await errorTold()).toMatch(meanwhile);
    await press(app, '閉じる');
    expect(screen.queryByRole('heading', { level: 1, name: 'Taro' })).toBeNull();
    expect(await screen.findByRole('heading', { name: 'ユーザーが見つかりません。' })).toBeTruthy();
  });

  it('of a group is left as after a deletion: it is gone, as wanted', async () => {
    const app = renderApp('/partner/groups/detail/?id=3');
    await screen.findByRole('heading', { level: 1, name: 'Sales（一般）' });
    deleted.add('Sales');
    await press(app, 'グループを削除');
    await pressInDialog(app, '削除');
    await waitFor(() => expect(address()).toBe('/partner/groups'));
    expect(await screen.findByText('1件のグループを削除しました。')).toBeTruthy();
  });
});

describe('deleting many of a list', () => {
  const selectAll = async ({ user }: RenderedApp) =>
    user.click(await screen.findByRole('checkbox', { name: 'このページの行をすべて選択' }));

  it('says that nothing was done where one has gone, and shows who is left', async () => {
    const app = renderApp('/partner/users');
    await screen.findByRole('rowheader', { name: /Taro/ });
    await selectAll(app);
    deleted.add('Taro');
    await press(app, '削除');
    await pressInDialog(app, '削除');
    expect(await errorTold()).toContain(
      'ユーザーが見つかりません。選択したどの項目も変更していません。ほかの人が削除した可能性があります。',
    );
    await press(app, '閉じる');
    await waitFor(() => expect(screen.queryByRole('rowheader', { name: /Taro/ })).toBeNull());
    expect(screen.getByText('1件を選択中')).toBeTruthy();
  });

  it('says why all of them stay where one is refused', async () => {
    server.use(
      http.delete(`${base}/groups`, () => failure('E40027', 'グループにユーザーが所属しています。')),
    );
    const app = renderApp('/partner/groups?order=asc');
    await screen.findByRole('rowheader', { name: 'Sales' });
    await selectAll(app);
    await press(app, '削除');
    deleted.add('Sales');
    await pressInDialog(app, '削除');
    expect(await errorTold()).toContain(
      'グループにユーザーが所属しています。選択したどの項目も変更していません。',
    );
    await press(app, '閉じる');
    await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'Sales' })).toBeNull());
    expect(screen.getByText('2件を選択中')).toBeTruthy();
  });
});

describe('assigning', () => {
  const path = '/partner/files/groups/?id=1';

  it('a file that has gone leads to the list', async () => {
    const app = renderApp(path);
    await app.user.click(await screen.findByRole('checkbox', { name: 'Sales（一般）' }));
    deleted.add('Tour');
    await press(app, '設定を確認');
    await pressInDialog(app, '設定する');
    expect(await errorTold()).toMatch(meanwhile);
    await waitFor(() => expect(address()).toBe('/partner/files'));
  });

  it('to a group that has gone says so, and goes on without it', async () => {
    const sent: unknown[] = [];
    server.use(
      http.put(`${base}/files/1/groups`, async ({ request }) => {
        const body = (await request.json()) as { group_ids: number[] };
        sent.push(body.group_ids);
        return body.group_ids.includes(3) ? gone.groups() : HttpResponse.json({});
      }),
    );
    const app = renderApp(path);
    for (const name of ['Sales（一般）', 'Field（一般）'])
      await app.user.click(await screen.findByRole('checkbox', { name }));
    deleted.add('Sales');
    await press(app, '設定を確認');
    await pressInDialog(app, '設定する');
    expect(await errorTold()).toContain('グループが見つかりません。');
    await press(app, '閉じる');
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Sales（一般）' })).toBeNull());
    expect(screen.getByText('1件を選択中')).toBeTruthy();
    await press(app, '設定を確認');
    await pressInDialog(app, '設定する');
    await waitFor(() => expect(address()).toBe('/partner/files'));
    expect(sent).toEqual([[3, 4], [4]]);
  });

  it('a user to a group that has gone likewise', async () => {
    const sent: unknown[] = [];
    server.use(
      http.put(`${base}/users/12`, async ({ request }) => {
        const body = (await request.json()) as { group_ids: number[] };
        sent.push(body.group_ids);
        return body.group_ids.includes(3) ? gone.groups() : HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/users/edit/?id=12');
    for (const name of ['Sales（一般）', 'Field（一般）'])
      await app.user.click(await screen.findByRole('checkbox', { name }));
    await press(app, '確認へ進む');
    await screen.findByRole('heading', { level: 1, name: '内容の確認' });
    deleted.add('Sales');
    await press(app, '保存する');
    await screen.findByText('グループが見つかりません。');
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Sales（一般）' })).toBeNull());
    await press(app, '確認へ進む');
    await press(app, '保存する');
    await screen.findByText('ユーザー「Taro」を更新しました。');
    expect(sent).toEqual([[3, 4], [4]]);
  });
});

it('An unknown address inside the area keeps the navigation, and leads home', async () => {
  const { user } = renderApp('/partner/no/such/page');
  expect(await screen.findByRole('heading', { name: 'ページが見つかりません' })).toBeTruthy();
  expect(screen.getByRole('navigation', { name: 'メインメニュー' })).toBeTruthy();
  expect(document.title).toBe('ページが見つかりません | 配信ポータル');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'ホーム' }));
  await waitFor(() => expect(address()).toBe('/partner/menu'));
});
