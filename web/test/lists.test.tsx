import { formatDateTime } from '@portal/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, group, onePage, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/users';
const device = {
  uuid: 'u1',
  name: 'iPad',
  os_type: 'ios',
  os_version: '17.2',
  player_version: '5.0.0',
  push_service: 'apns',
  created_at: '2026-11-01T03:00:00Z',
  last_login_at: '2026-11-20T03:00:00Z',
};
const taro = user(12, 'Taro', { platforms: [device] });
const jiro = user(13, 'Jiro');
const saburo = user(14, 'Saburo');

let people: ReturnType<typeof user>[];
let asked: URLSearchParams[];

beforeEach(async () => {
  people = [taro, jiro, saburo];
  asked = [];
  await signInPartner();
  server.use(
    http.get(base, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ ...onePage(people.length), users: people });
    }),
    http.delete(base, async ({ request }) => {
      const { ids } = (await request.json()) as { ids: number[] };
      people = people.filter(({ id }) => !ids.includes(id));
      return HttpResponse.json({});
    }),
    http.get(`${base}/:id`, ({ params }) => {
      const found = people.find(({ id }) => id === Number(params['id']));
      return found ? HttpResponse.json(found) : failure('E40403', 'ユーザーが見つかりません。');
    }),
    http.get(`${base}/:id/files`, () => HttpResponse.json({ ...onePage(0), files: [] })),
    http.get('*/v1/partner/partners/7/groups', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.has('all')
          ? { groups: [{ id: 3, name: 'Sales', role: 0 }] }
          : { ...onePage(1), groups: [group(3, 'Sales')] },
      ),
    ),
  );
});

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const focused = () => document.activeElement;
const table = () => screen.getByRole('region', { name: 'ユーザー' });
const bar = () => screen.getByRole('region', { name: '選択した行の操作' });

describe('an address with nonsense in its filters', () => {
  it('shows the list as without them, and asks for none of them', async () => {
    renderApp(
      '/partner/users?createdAtStart=nonsense&createdAtEnd=2026-11-01&osType=amiga&groupUnset=perhaps&userId=x&name=ta',
    );
    await row('Taro');
    // Beside the list, the page asks whether there is anybody at all.
    const ofTheList = asked.find((query) => query.get('per_page') !== '1');
    expect(Object.fromEntries(ofTheList ?? [])).toEqual({
      name: 'ta',
      page: '1',
      per_page: '10',
      order_key: 'id',
      order: 'desc',
    });
    expect(screen.getAllByRole('button', { name: /^条件「/ })).toHaveLength(1);
  });

  it('drops a group that there is not once the groups are known', async () => {
    renderApp('/partner/users?group=999');
    await row('Taro');
    await waitFor(() => expect(asked.at(-1)?.has('group')).toBe(false));
    expect(screen.queryByRole('button', { name: /^条件「/ })).toBeNull();
  });
});

describe('the filters', () => {
  async function openFilters() {
    const { user: person } = renderApp('/partner/users?name=ta&loginId=taro');
    await row('Taro');
    await person.click(screen.getByRole('button', { name: '検索条件' }));
    const form = within(await screen.findByRole('search', { name: '検索条件' }));
    return { person, field: (label: string | RegExp) => form.getByLabelText(label) as HTMLInputElement };
  }

  it('keep the field that one searches from, and what is typed when a chip goes', async () => {
    const { person, field } = await openFilters();
    await person.type(field('OSバージョン'), '19');
    await person.click(screen.getByRole('button', { name: '条件「名前: ta」を外す' }));
    await waitFor(() => expect(address()).toBe('/partner/users?loginId=taro'));
    expect(field('名前').value).toBe('');
    expect(field('OSバージョン').value).toBe('19');
    expect(focused()).toBe(screen.getByRole('button', { name: '条件「ログインID: taro」を外す' }));
    await person.click(screen.getByRole('button', { name: '条件「ログインID: taro」を外す' }));
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: '検索条件' })));
    await person.type(field('OSバージョン'), '.1{Enter}');
    await waitFor(() => expect(address()).toBe('/partner/users?osVersion=19.1'));
    expect(focused()).toBe(field('OSバージョン'));
  });

  it('are cleared with all that is typed', async () => {
    const { person, field } = await openFilters();
    await person.type(field('OSバージョン'), '19');
    await person.click(
      within(screen.getByRole('search', { name: '検索条件' })).getByRole('button', { name: '条件をクリア' }),
    );
    await waitFor(() => expect(address()).toBe('/partner/users'));
    expect(field('OSバージョン').value).toBe('');
    expect(field('名前').value).toBe('');
  });

  it('take no range that ends before it starts', async () => {
    const { person, field } = await openFilters();
    const calls = asked.length;
    const before = address();
    const end = field(/^作成日時（まで）/);
    fireEvent.change(field(/^作成日時（から）/), { target: { value: '2026-11-02T00:00' } });
    fireEvent.change(end, { target: { value: '2026-11-01T00:00' } });
    await person.click(
      within(screen.getByRole('search', { name: '検索条件' })).getByRole('button', { name: '検索' }),
    );
    expect(end.getAttribute('aria-invalid')).toBe('true');
    const message = document.getElementById(end.getAttribute('aria-describedby') ?? '');
    expect(message?.textContent).toBe('開始日時以降の日時を入力してください。');
    expect(focused()).toBe(end);
    expect(address()).toBe(before);
    expect(asked).toHaveLength(calls);
    fireEvent.change(end, { target: { value: '2026-11-03T00:00' } });
    await person.click(
      within(screen.getByRole('search', { name: '検索条件' })).getByRole('button', { name: '検索' }),
    );
    await waitFor(() => expect(address()).toContain('createdAtEnd='));
  });
});

describe('the search box', () => {
  const admin = {
    id: 5,
    name: 'Hanako',
    email: 'hanako@example.com',
    login_user_id: null,
    create_user_flag: false,
    two_factor: false,
    last_login_at: null,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
  };

  it.each([
    ['users', 'ID・名前・メールアドレス・ユーザーIDで検索', { users: [taro] }],
    ['groups', 'ID・グループ名で検索', { groups: [group(3, 'Sales')] }],
    ['admins', 'ID・名前・メールアドレス・ユーザーIDで検索', { admins: [admin] }],
  ])('is over the list of %s, and its text in the address', async (path, label, rows) => {
    server.use(
      http.get(`*/v1/partner/partners/7/${path}`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        if (query.has('all')) return HttpResponse.json({ groups: [] });
        // How many there are without the filter is asked for beside.
        if (query.get('per_page') !== '1') asked.push(query);
        return HttpResponse.json({ ...onePage(1), ...rows });
      }),
    );
    const page = path === 'admins' ? 'admins' : path;
    const { user: person } = renderApp(`/partner/${page}?page=2`);
    await person.type(await screen.findByRole('searchbox', { name: label }), ' sa {Enter}');
    await waitFor(() => expect(asked.at(-1)?.get('q')).toBe('sa'));
    expect(address()).toBe(`/partner/${page}?q=sa`);
    await person.clear(screen.getByRole('searchbox', { name: label }));
    await waitFor(() => expect(address()).toBe(`/partner/${page}`));
  });
});

describe('a preset', () => {
  it('is on and off with one click, and moves with the days', async () => {
    const { user: person } = renderApp('/partner/users?name=ta');
    await row('Taro');
    const preset = screen.getByRole('button', { name: '直近7日間にログイン' });
    await person.click(preset);
    await waitFor(() => expect(address()).toBe('/partner/users?name=ta&loginAtStart=7d'));
    const today = new Date();
    const begin = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 6);
    await waitFor(() => expect(asked.at(-1)?.get('login_at_start')).toBe(formatDateTime(begin)));
    expect(preset.getAttribute('aria-pressed')).toBe('true');
    await person.click(preset);
    await waitFor(() => expect(address()).toBe('/partner/users?name=ta'));
  });

  it('is told among the filters where the days are others', async () => {
    renderApp('/partner/users?createdAtStart=30d');
    expect(
      await screen.findByRole('button', { name: '条件「作成日時（から）: 直近30日間」を外す' }),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: '直近7日間に作成', pressed: false })).toBeTruthy();
  });
});

describe('the focus', () => {
  async function confirmDeletion(person: ReturnType<typeof renderApp>['user']) {
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }

  it('goes to the next row after a deletion, and to the list after the last', async () => {
    const { user: person } = renderApp('/partner/users');
    await row('Jiro');
    await person.click(screen.getByRole('button', { name: '削除: Jiro' }));
    await confirmDeletion(person);
    await waitFor(() => expect(screen.queryByRole('row', { name: /Jiro/ })).toBeNull());
    expect(focused()).toBe(await row('Saburo'));
    people = [taro];
    await person.click(screen.getByRole('button', { name: '削除: Taro' }));
    await confirmDeletion(person);
    await screen.findByText('ユーザーはまだいません');
    expect(focused()).toBe(table());
  });

  it('goes to the list after the deletion of selected rows, and stays in the bar when the selection goes', async () => {
    const { user: person } = renderApp('/partner/users');
    await row('Jiro');
    await person.click(screen.getByRole('checkbox', { name: '「Jiro」を選択' }));
    await person.click(screen.getByRole('button', { name: '選択を解除' }));
    expect(focused()).toBe(bar());
    await person.click(screen.getByRole('checkbox', { name: '「Jiro」を選択' }));
    await person.click(screen.getByRole('button', { name: '削除' }));
    await confirmDeletion(person);
    await waitFor(() => expect(screen.queryByRole('row', { name: /Jiro/ })).toBeNull());
    expect(table().contains(focused())).toBe(true);
  });

  it('goes to the bar of the selection once members are added', async () => {
    server.use(http.post('*/groups/3/users', () => HttpResponse.json({})));
    const { user: person } = renderApp('/partner/groups/members/?id=3&pn=Sakura');
    await person.click(await screen.findByRole('checkbox', { name: '「Jiro」を選択' }));
    await person.click(screen.getByRole('button', { name: 'グループに追加' }));
    await screen.findByText('1人をグループに追加しました。');
    expect(focused()).toBe(bar());
  });

  it('stays on the pager at the last page', async () => {
    server.use(
      http.get(base, ({ request }) =>
        HttpResponse.json({
          current_page: Number(new URL(request.url).searchParams.get('page')),
          total_page: 2,
          total_count: 13,
          users: people,
        }),
      ),
    );
    const { user: person } = renderApp('/partner/users');
    await row('Taro');
    const next = screen.getByRole('button', { name: '次のページ' });
    await person.click(next);
    await waitFor(() => expect(next.getAttribute('aria-disabled')).toBe('true'));
    expect(focused()).toBe(next);
    await person.click(next);
    expect(address()).toBe('/partner/users?page=2');
  });

  it('goes back to what begins an export when it is stopped', async () => {
    server.use(
      http.post('*/users/csv/batches', () =>
        HttpResponse.json({ id: 5, users_csv_batch_id: 5 }, { status: 201 }),
      ),
      http.get('*/users/csv/batches/5', () =>
        HttpResponse.json({ id: 5, status: 'processing', progress: 0.1, row_count: 3 }),
      ),
      http.delete('*/users/csv/batches/5', () => HttpResponse.json({})),
    );
    const { user: person } = renderApp('/partner/users');
    await row('Taro');
    await person.click(screen.getByRole('button', { name: 'CSVダウンロード' }));
    await person.click(await screen.findByRole('button', { name: 'CSVの作成を中止' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'CSVダウンロード' }));
  });
});

describe('a user who was deleted on their page', () => {
  it('is nowhere to be seen, and nothing is asked about them', async () => {
    const files: string[] = [];
    server.use(
      http.get(`${base}/:id/files`, ({ params }) => {
        files.push(String(params['id']));
        return people.some(({ id }) => id === Number(params['id']))
          ? HttpResponse.json({ ...onePage(0), files: [] })
          : failure('E40403', 'ユーザーが見つかりません。');
      }),
    );
    const { user: person } = renderApp('/partner/users');
    await person.click(within(await row('Taro')).getByRole('link', { name: 'Taro' }));
    await screen.findByText('配信されているファイルはありません。');
    await person.click(screen.getByRole('button', { name: 'ユーザーを削除' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Taro/ })).toBeNull());
    await row('Jiro');
    expect(files).toEqual(['12']);
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('heading', { level: 1, name: 'Taro' })).toBeNull());
    expect(address()).toBe('/partner/users');
  });

  it('is not shown from memory either', async () => {
    const { user: person } = renderApp('/partner/users');
    await person.click(within(await row('Taro')).getByRole('link', { name: 'Taro' }));
    await screen.findByRole('heading', { level: 1, name: 'Taro' });
    await person.click(screen.getAllByRole('link', { name: 'ユーザー' })[0] as HTMLElement);
    await person.click(within(await row('Taro')).getByRole('button', { name: '削除: Taro' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Taro/ })).toBeNull());
    window.history.back();
    expect(await screen.findByText('ユーザーが見つかりません。')).toBeTruthy();
    expect(screen.queryByRole('heading', { level: 1, name: 'Taro' })).toBeNull();
  });
});

describe('the page of an import', () => {
  it.each(['confirm', 'error', 'complete'])('leads to the form where %s names none', async (page) => {
    renderApp(`/partner/users/csv-${page}`);
    await waitFor(() => expect(address()).toBe('/partner/users/csv'));
  });

  it('says that one is not there any more, with a way to the form alone', async () => {
    server.use(http.get('*/users/csv/status', () => failure('E40401', '見つかりません。')));
    renderApp('/partner/users/csv-confirm?id=9');
    expect(await screen.findByText('このインポートはもうありません')).toBeTruthy();
    expect(screen.queryByRole('button', { name: '再試行' })).toBeNull();
    expect(screen.getByRole('link', { name: '別のファイルを選ぶ' }).getAttribute('href')).toBe(
      '/partner/users/csv',
    );
  });
});

describe('the devices of a user', () => {
  it.each([
    ['on their page', '/partner/users/detail/?id=12&pn=Sakura'],
    ['in the form', '/partner/users/edit/?id=12&pn=Sakura'],
  ])('tell all of each %s', async (_, page) => {
    renderApp(page);
    const cells = within(await row('iPad'));
    expect(cells.getByText(/^登録日時: 2026\/11\/01/)).toBeTruthy();
    expect(cells.getByText(/^最終ログイン: 2026\/11\/20/)).toBeTruthy();
    expect(cells.getByText('プレイヤー: 5.0.0')).toBeTruthy();
    expect(cells.getByText('プッシュ通知: 届く（APNs）')).toBeTruthy();
    expect(cells.getByText('iOS 17.2')).toBeTruthy();
  });
});

describe('the order of a list', () => {
  it('is told in words, and chosen, where columns are left out', async () => {
    const { user: person } = renderApp('/partner/users?orderKey=createdAt&order=asc');
    await row('Taro');
    const choice = screen.getByLabelText('並び順') as HTMLSelectElement;
    expect(choice.selectedOptions[0]?.textContent).toBe('作成日時（昇順）');
    await person.selectOptions(choice, 'ID（降順）');
    await waitFor(() => expect(address()).toBe('/partner/users'));
    const header = screen.getByText('ID', { selector: 'th button' }).closest('th');
    expect(header?.getAttribute('aria-sort')).toBe('descending');
  });
});
