import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, group, onePage, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/users';
const admin = 268_435_456;

const device = (uuid: string, name: string) => ({
  uuid,
  name,
  os_type: 'ios',
  os_version: '19.1',
  player_version: '5.0.0',
  push_service: null,
  created_at: '2026-11-01T00:00:00Z',
  last_login_at: '2026-11-20T00:00:00Z',
});

const taro = user(12, 'Taro', {
  email: null,
  login_user_id: 'taro',
  groups: [{ id: 3, name: 'Sales' }],
  platforms: [device('u1', 'iPad'), { ...device('u2', 'iPhone'), push_service: 'fcm' }],
});

beforeEach(async () => {
  await signInPartner();
  server.use(
    http.get(base, () => HttpResponse.json({ ...onePage(1), users: [taro] })),
    http.get(`${base}/12`, () => HttpResponse.json(taro)),
    http.get(`${base}/12/files`, () => HttpResponse.json({ ...onePage(0), files: [] })),
    http.get('*/v1/partner/partners/7/groups', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.has('all')
          ? {
              groups: [
                { id: 3, name: 'Sales', role: 0 },
                { id: 4, name: 'Heads', role: admin },
              ],
            }
          : { ...onePage(1), groups: [group(3, 'Sales')] },
      ),
    ),
    http.post('*/validate_password', async ({ request }) =>
      HttpResponse.json({
        valid: ((await request.json()) as { password: string }).password !== 'Passw0rd-no',
      }),
    ),
  );
});

const toConfirm = ({ user: person }: RenderedApp) =>
  person.click(screen.getByRole('button', { name: '確認へ進む' }));
const fillIn = async ({ user: person }: RenderedApp, label: RegExp, text: string) => {
  const field = await screen.findByLabelText(label, { selector: 'input:not([type=radio]), textarea' });
  await person.clear(field);
  await person.type(field, text);
};

describe('creating a user', () => {
  it('sends what was chosen, with several roles and groups, and leads to the user', async () => {
    let sent: unknown;
    server.use(
      http.post(base, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ id: 12 }, { status: 201 });
      }),
    );
    const app = renderApp('/partner/users/create');
    await fillIn(app, /^名前/, 'Taro');
    await app.user.click(screen.getByRole('radio', { name: 'ユーザーID' }));
    await fillIn(app, /^ユーザーID/, 'taro');
    await fillIn(app, /^パスワード/, 'Passw0rd-1');
    await app.user.click(screen.getByRole('checkbox', { name: /^管理者/ }));
    await app.user.click(screen.getByRole('checkbox', { name: /^開発者/ }));
    await app.user.click(screen.getByRole('checkbox', { name: 'Heads（管理者）' }));
    await app.user.click(screen.getByRole('checkbox', { name: '端末数を制限する' }));
    await fillIn(app, /^端末数の上限/, '2');
    await toConfirm(app);
    await waitFor(() => expect(address()).toBe('/partner/users/confirm'));
    expect(await screen.findByText('管理者, 開発者')).toBeTruthy();
    expect(await screen.findByText('Heads（管理者）')).toBeTruthy();
    expect(screen.getByText('（表示されません）')).toBeTruthy();
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('Passw0rd-1');
    await app.user.click(screen.getByRole('button', { name: '作成する' }));
    expect(await screen.findByText('ユーザー「Taro」を作成しました。')).toBeTruthy();
    expect(sent).toEqual({
      name: 'Taro',
      login_user_id: 'taro',
      password: 'Passw0rd-1',
      role: admin + 16,
      group_ids: [4],
      json: '',
      max_device_count_limited_flag: true,
      max_device_count: 2,
    });
    await app.user.click(screen.getByRole('link', { name: '詳細を見る' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Taro' })).toBeTruthy();
  });

  it('with an address says that the mail to choose a password is sent', async () => {
    server.use(http.post(base, () => HttpResponse.json({ id: 12 }, { status: 201 })));
    const app = renderApp('/partner/users/create');
    await fillIn(app, /^名前/, 'Taro');
    await fillIn(app, /^メールアドレス/, 'taro@example.com');
    await toConfirm(app);
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    await screen.findByText('ユーザー「Taro」を作成しました。');
    expect(screen.getByText('本人がパスワードを設定するためのメールを送信しました。')).toBeTruthy();
  });

  it('asks for no device limit where licences count devices', async () => {
    await signInPartner({ licenseType: 'device' });
    const app = renderApp('/partner/users/create');
    await fillIn(app, /^名前/, 'Taro');
    await fillIn(app, /^メールアドレス/, 'taro@example.com');
    expect(screen.queryByRole('checkbox', { name: '端末数を制限する' })).toBeNull();
    await toConfirm(app);
    expect(await screen.findByText('内容を確認してください。まだ保存されていません。')).toBeTruthy();
    expect(screen.queryByText('端末数の上限')).toBeNull();
  });

  it('tells what is missing before it asks the server', async () => {
    const app = renderApp('/partner/users/create');
    await screen.findByLabelText(/^名前/);
    await toConfirm(app);
    const summary = await screen.findByRole('alert');
    expect(summary.textContent).toContain('名前: 入力してください。');
    expect(summary.textContent).toContain('メールアドレス: 入力してください。');
  });

  it('goes on with its own button, and not when the groups are searched', async () => {
    const groups = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, name: `G${index}`, role: 0 }));
    server.use(http.get('*/v1/partner/partners/7/groups', () => HttpResponse.json({ groups })));
    const app = renderApp('/partner/users/create');
    await fillIn(app, /^名前/, 'Taro');
    await fillIn(app, /^メールアドレス/, 'taro@example.com');
    await app.user.type(await screen.findByRole('searchbox', { name: 'グループを絞り込む' }), 'g7{Enter}');
    await app.user.click(screen.getByRole('checkbox', { name: 'G7（一般）' }));
    expect(screen.queryByRole('checkbox', { name: 'G1（一般）' })).toBeNull();
    expect(address()).toBe('/partner/users/create');
    await toConfirm(app);
    await waitFor(() => expect(address()).toBe('/partner/users/confirm'));
  });

  it('asks the server about the password before the confirmation', async () => {
    const app = renderApp('/partner/users/create');
    await fillIn(app, /^名前/, 'Taro');
    await app.user.click(screen.getByRole('radio', { name: 'ユーザーID' }));
    await fillIn(app, /^ユーザーID/, 'taro');
    await fillIn(app, /^パスワード/, 'Passw0rd-no');
    await toConfirm(app);
    expect(await screen.findAllByText(/よく使われるパスワード/)).not.toHaveLength(0);
    expect(address()).toBe('/partner/users/create');
  });

  it.each([
    ['E40008', 'ライセンスが不足しています。', [], undefined],
    ['E40029', '重複', [{ field: 'email', message: 'すでに使用されています。' }], /^メールアドレス/],
    ['E40404', 'グループなし', [{ field: 'group_ids', message: '見つかりません。' }], undefined],
  ])('comes back with %s and everything kept', async (code, message, errors, field) => {
    server.use(http.post(base, () => failure(code, message, errors)));
    const app = renderApp('/partner/users/create');
    await fillIn(app, /^名前/, 'Taro');
    await fillIn(app, /^メールアドレス/, 'taro@example.com');
    await toConfirm(app);
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    const summary = await screen.findByRole('alert');
    expect(summary.textContent).toContain(errors[0]?.message ?? message);
    expect(screen.getByLabelText(/^名前/)).toHaveProperty('value', 'Taro');
    if (field) {
      const input = screen.getByLabelText(field, { selector: 'input[type=email]' });
      expect(input.getAttribute('aria-invalid')).toBe('true');
    }
  });
});

describe('editing a user', () => {
  it('takes a device away after asking, and one that came meanwhile stays', async () => {
    let sent: unknown;
    server.use(
      http.put(`${base}/12`, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/users/edit/?id=12&pn=Sakura');
    await app.user.click(await screen.findByRole('button', { name: '端末を削除: iPad' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('端末「iPad」を削除します。');
    await app.user.click(within(dialog).getByRole('button', { name: '削除する' }));
    expect(await screen.findByText(/次の端末が削除されます/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: '端末を削除: iPad' })).toBeNull();
    await toConfirm(app);
    const removed = (await screen.findByText('削除する端末')).closest('div');
    expect(removed?.textContent).toBe('削除する端末iPad変更あり');
    expect(removed?.hasAttribute('data-changed')).toBe(true);
    server.use(
      http.get(`${base}/12`, () =>
        HttpResponse.json({ ...taro, platforms: [...taro.platforms, device('u3', 'New')] }),
      ),
    );
    await app.user.click(screen.getByRole('button', { name: '保存する' }));
    await screen.findByText('ユーザー「Taro」を更新しました。');
    expect(sent).toEqual({ platform_uuids: ['u2', 'u3'] });
  });

  it('marks a new password as a change without showing any', async () => {
    const app = renderApp('/partner/users/edit/?id=12&pn=Sakura');
    await fillIn(app, /^パスワード/, 'Passw0rd-1');
    await toConfirm(app);
    const shown = (await screen.findByText('変更する')).closest('[data-changed]');
    expect(shown?.textContent).toBe('パスワード変更する変更あり');
  });

  it('leaves devices alone, offers no other way to sign in, and marks what has changed', async () => {
    let sent: object = {};
    server.use(
      http.put(`${base}/12`, async ({ request }) => {
        sent = (await request.json()) as object;
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/users/edit/?id=12&pn=Sakura');
    await app.user.click(await screen.findByRole('checkbox', { name: 'Sales（一般）' }));
    expect(screen.queryByRole('radio')).toBeNull();
    await toConfirm(app);
    expect(await screen.findAllByText('変更あり')).toHaveLength(1);
    expect((await screen.findByText('変更しない')).closest('[data-changed]')).toBeNull();
    await app.user.click(screen.getByRole('button', { name: '保存する' }));
    await screen.findByText('ユーザー「Taro」を更新しました。');
    expect(sent).toMatchObject({ group_ids: [] });
    expect(sent).not.toHaveProperty('platform_uuids');
    expect(sent).not.toHaveProperty('password');
  });

  it('says so when there is no such user', async () => {
    server.use(http.get(`${base}/99`, () => failure('E40403', 'ユーザーが見つかりません。')));
    renderApp('/partner/users/edit/?id=99&pn=Sakura');
    expect(await screen.findByText('ユーザーが見つかりません。')).toBeTruthy();
  });
});

describe('the list', () => {
  it('asks for every filter that the address names', async () => {
    const asked: URLSearchParams[] = [];
    server.use(
      http.get(base, ({ request }) => {
        const { searchParams } = new URL(request.url);
        // Beside a page, the list asks how many there are in all.
        if (searchParams.has('page')) asked.push(searchParams);
        return HttpResponse.json({ ...onePage(1), users: [taro] });
      }),
    );
    renderApp(
      '/partner/users?name=ta&userId=12&loginId=tar&group=3&groupUnset=true&passwordState=none&osType=ios&osVersion=19&playerVersion=5&createdAtStart=2026-11-01T00:00:00Z&loginAtEnd=2026-11-21T00:00:00Z&orderKey=lastLoginAt&order=asc',
    );
    await screen.findByRole('rowheader', { name: /Taro/ });
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      name: 'ta',
      id: '12',
      login_id: 'tar',
      group: '3',
      group_unset: 'true',
      password_state: 'none',
      os_type: 'ios',
      os_version: '19',
      player_version: '5',
      created_at_start: '2026-11-01T00:00:00Z',
      login_at_end: '2026-11-21T00:00:00Z',
      order_key: 'last_login_at',
      order: 'asc',
      page: '1',
      per_page: '10',
    });
    expect(await screen.findByRole('button', { name: '条件「グループ: Sales（一般）」を外す' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'グループ未所属', pressed: true })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'パスワード未設定', pressed: true })).toBeTruthy();
  });

  it('takes digits alone for an id, wide ones too', async () => {
    const { user: person } = renderApp('/partner/users');
    await screen.findByRole('rowheader', { name: /Taro/ });
    await person.click(screen.getByRole('button', { name: '検索条件' }));
    await person.type(
      within(await screen.findByRole('search', { name: '検索条件' })).getByLabelText('ID'),
      '１2x',
    );
    await person.click(
      within(screen.getByRole('search', { name: '検索条件' })).getByRole('button', { name: '検索' }),
    );
    await waitFor(() => expect(address()).toBe('/partner/users?userId=12'));
  });

  it('deletes what is selected with one call, after naming it', async () => {
    let sent: unknown;
    server.use(
      http.get(base, () => HttpResponse.json({ ...onePage(2), users: [taro, user(13, 'Jiro')] })),
      http.delete(base, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const { user: person } = renderApp('/partner/users');
    await screen.findByRole('rowheader', { name: /Jiro/ });
    await person.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await person.click(screen.getByRole('button', { name: '削除' }));
    const dialog = await screen.findByRole('dialog');
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Taro', 'Jiro']);
    await person.click(within(dialog).getByRole('button', { name: '削除' }));
    expect(await screen.findByText('2人のユーザーを削除しました。')).toBeTruthy();
    expect(sent).toEqual({ ids: [12, 13] });
  });

  it('shows who has no password yet, and mails those selected the link again after asking', async () => {
    const sent: unknown[] = [];
    const invited = user(13, 'Jiro', { password_set: false, setup_mail_sent_at: '2026-11-20T00:00:00Z' });
    const unasked = user(14, 'Saburo', { password_set: false });
    server.use(
      http.get(base, () => HttpResponse.json({ ...onePage(3), users: [taro, invited, unasked] })),
      http.post(`${base}/setup_mails`, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ count: 2, skipped: 1 });
      }),
    );
    const { user: person } = renderApp('/partner/users');
    const row = async (name: RegExp) => (await screen.findByRole('rowheader', { name })).textContent;
    expect(await row(/Taro/)).not.toContain('パスワード未設定');
    expect(await row(/Jiro/)).toContain('パスワード未設定（メール送信: 2026');
    expect(await row(/Saburo/)).toContain('パスワード未設定');
    await person.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await person.click(screen.getByRole('button', { name: '設定メールを再送信' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('選択した3人のうち');
    expect(sent).toEqual([]);
    await person.click(within(dialog).getByRole('button', { name: '送信する' }));
    expect(
      await screen.findByText(/^2人に送信しました。1人には送信していません（メールアドレスがない/),
    ).toBeTruthy();
    expect(sent).toEqual([{ ids: [12, 13, 14] }]);
    expect(screen.getByText('行を選択すると、まとめて操作できます。')).toBeTruthy();
  });

  it.each([
    ['a developer', 16],
    ['a push sender', 1],
  ])('lets %s read and nothing else', async (_, role) => {
    await signInPartner({ role });
    renderApp('/partner/users');
    expect(await screen.findByRole('link', { name: 'Taro' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'ユーザー', current: 'page' })).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('link', { name: 'ユーザーを作成' })).toBeNull();
    expect(screen.queryByRole('link', { name: '編集: Taro' })).toBeNull();
    expect(screen.queryByRole('button', { name: '削除: Taro' })).toBeNull();
  });
});

describe('the page of a user', () => {
  it('shows devices, and what is delivered through which group since when', async () => {
    server.use(
      http.get(`${base}/12/files`, () =>
        HttpResponse.json({
          ...onePage(1),
          files: [
            {
              id: 5,
              name: 'Tour',
              file_name: 'tour.uap',
              file_size: 1536,
              version: 2,
              icon_signed_url: null,
              groups: [
                { id: 0, name: '全員', since: '2026-11-20T00:00:00Z' },
                { id: 3, name: 'Sales', since: '2026-11-21T00:00:00Z' },
              ],
            },
          ],
        }),
      ),
    );
    renderApp('/partner/users/detail/?id=12&pn=Sakura');
    const row = await screen.findByRole('row', { name: /Tour/ });
    expect(
      within(row)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^全員 2026\/11\/20.* から$/),
      expect.stringMatching(/^Sales 2026\/11\/21.* から$/),
    ]);
    expect(screen.getByRole('row', { name: /iPad.*届かない.*iOS 19.1.*5.0.0/ })).toBeTruthy();
    expect(screen.getByRole('row', { name: /iPhone.*届く（FCM）.*iOS 19.1.*5.0.0/ })).toBeTruthy();
    // Among the facts, and as the reason of a file.
    const toGroup = screen.getAllByRole('link', { name: 'Sales' }).map((link) => link.getAttribute('href'));
    expect(toGroup).toEqual(Array(2).fill('/partner/groups/detail/?id=3&pn=Sakura'));
    expect(within(row).getByRole('link', { name: 'Tour' }).getAttribute('href')).toBe(
      '/partner/files/detail/?id=5&pn=Sakura',
    );
  });

  it('shows what will reach them later, with the times', async () => {
    const ahead = { file_size: 1536, version: 1, icon_signed_url: null };
    server.use(
      http.get(`${base}/12/files/ahead`, () =>
        HttpResponse.json({
          ...onePage(2),
          files: [
            {
              ...ahead,
              id: 6,
              name: 'Next',
              file_name: 'next.uap',
              deliver_reservation_at: '2026-11-30T12:00:00Z',
              update_reservation_at: '2026-12-05T12:00:00Z',
              groups: [{ id: 3, name: 'Sales' }],
            },
            {
              ...ahead,
              id: 7,
              name: 'Handbook',
              file_name: 'handbook.uap',
              deliver_reservation_at: null,
              update_reservation_at: '2026-12-01T12:00:00Z',
              groups: [{ id: 0, name: '全員' }],
            },
          ],
        }),
      ),
    );
    renderApp('/partner/users/detail/?id=12&pn=Sakura');
    const part = await screen.findByRole('region', { name: 'これから配信されるファイル' });
    const said = async (name: RegExp) =>
      within(await within(part).findByRole('row', { name }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent.trim());
    expect(await said(/Next/)).toEqual([
      expect.stringMatching(/^2026\/11\/30.* 配信$/),
      expect.stringMatching(/^2026\/12\/05.* 更新$/),
      'Sales',
    ]);
    expect(await said(/Handbook/)).toEqual([expect.stringMatching(/^2026\/12\/01.* 更新$/), '全員']);
  });

  it('deletes the user and goes back to the list', async () => {
    server.use(http.delete(base, () => HttpResponse.json({})));
    const { user: person } = renderApp('/partner/users/detail/?id=12&pn=Sakura');
    await person.click(await screen.findByRole('button', { name: 'ユーザーを削除' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    await waitFor(() => expect(address()).toBe('/partner/users'));
  });

  it('tells a push sender nothing of files', async () => {
    await signInPartner({ role: 1 });
    renderApp('/partner/users/detail/?id=12&pn=Sakura');
    expect(await screen.findByRole('heading', { level: 1, name: 'Taro' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: '配信中のファイル' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'ユーザーを削除' })).toBeNull();
  });
});

describe('the page of a group', () => {
  const jiro = user(13, 'Jiro');

  beforeEach(() => {
    server.use(
      http.get('*/v1/partner/partners/7/files', () => HttpResponse.json({ ...onePage(0), files: [] })),
    );
  });

  it('asks for the members and the files of this group, and takes members out after asking', async () => {
    const asked: string[] = [];
    let sent: unknown;
    server.use(
      http.get(base, ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json({ ...onePage(1), users: [taro] });
      }),
      http.delete('*/groups/3/users', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const { user: person } = renderApp('/partner/groups/detail/?id=3&pn=Sakura');
    expect(await screen.findByRole('heading', { level: 1, name: 'Sales（一般）' })).toBeTruthy();
    await person.click(await screen.findByRole('checkbox', { name: '「Taro」を選択' }));
    expect(asked[0]).toBe('?page=1&per_page=10&order_key=id&order=desc&group=3');
    expect(await screen.findByText('このグループに配信が設定されたファイルはありません。')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'グループから外す' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('「Taro」をこのグループから外します。');
    await person.click(within(dialog).getByRole('button', { name: 'グループから外す' }));
    expect(await screen.findByText('1人をグループから外しました。')).toBeTruthy();
    expect(sent).toEqual({ ids: [12] });
  });

  it('adds many at once, and counts those alone who are new', async () => {
    let sent: unknown;
    server.use(
      http.get(base, () => HttpResponse.json({ ...onePage(2), users: [taro, jiro] })),
      http.post('*/groups/3/users', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const { user: person } = renderApp('/partner/groups/members/?id=3&pn=Sakura');
    await screen.findByRole('rowheader', { name: /Jiro/ });
    await person.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
    expect(within(screen.getByRole('row', { name: /Taro/ })).getByText('所属中')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'グループに追加' }));
    expect(await screen.findByText('1人をグループに追加しました。')).toBeTruthy();
    expect(sent).toEqual({ ids: [13] });
  });

  it('tells in a modal why it is refused', async () => {
    server.use(
      http.get(base, () => HttpResponse.json({ ...onePage(1), users: [jiro] })),
      http.post('*/groups/3/users', () => failure('E40403', 'ユーザーが見つかりません。')),
    );
    const { user: person } = renderApp('/partner/groups/members/?id=3&pn=Sakura');
    await person.click(await screen.findByRole('checkbox', { name: '「Jiro」を選択' }));
    await person.click(screen.getByRole('button', { name: 'グループに追加' }));
    const modal = await screen.findByRole('dialog', { name: 'エラー' });
    expect(modal.textContent).toContain('ユーザーが見つかりません。');
  });
});
