import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccountMenu } from './account-menu.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, group, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

beforeEach(async () => {
  await signInPartner();
});

const nameField = () => screen.findByLabelText(/^グループ名/);

async function fillIn({ user }: RenderedApp, name: string) {
  await user.clear(await nameField());
  await user.type(await nameField(), name);
}

const toConfirm = ({ user }: RenderedApp) => user.click(screen.getByRole('button', { name: '確認へ進む' }));

describe('creating a group', () => {
  it('goes through confirmation to completion, and survives a reload on the way', async () => {
    let sent: unknown;
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/groups', async ({ request }) => {
        sent = await request.json();
        keys.push(request.headers.get('idempotency-key'));
        return HttpResponse.json({ id: 9 }, { status: 201 });
      }),
    );
    let app = renderApp('/partner/groups/create');
    await fillIn(app, 'Field');
    app = app.reload();
    expect(await nameField()).toHaveProperty('value', 'Field');
    await toConfirm(app);
    await waitFor(() => expect(address()).toBe('/partner/groups/confirm'));

    app = app.reload();
    expect(await screen.findByText('Field')).toBeTruthy();
    expect(address()).toBe('/partner/groups/confirm');
    await app.user.dblClick(screen.getByRole('button', { name: '作成する' }));
    expect(await screen.findByText('グループ「Field」を作成しました。')).toBeTruthy();
    expect(address()).toBe('/partner/groups/complete');
    expect(sent).toEqual({ name: 'Field', note: '', role: 0 });
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(hrefOf('メンバーを追加')).toBe('/partner/groups/members/?id=9&pn=Sakura');
    expect(hrefOf('グループを見る')).toBe('/partner/groups/detail/?id=9&pn=Sakura');

    await app.user.click(screen.getByRole('link', { name: '一覧へ戻る' }));
    await waitFor(() => expect(address()).toBe('/partner/groups'));
    await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]));
  });

  it('tells what is missing before it asks the server', async () => {
    const app = renderApp('/partner/groups/create');
    await nameField();
    await toConfirm(app);
    const summary = await screen.findByRole('alert');
    expect(summary.textContent).toContain('グループ名: 入力してください。');
    await waitFor(() => expect(document.activeElement).toBe(summary));
    expect(address()).toBe('/partner/groups/create');
    await app.user.click(within(summary).getByRole('link'));
    expect(document.activeElement).toBe(await nameField());
  });

  it('comes back with the server’s message at its field and everything kept', async () => {
    server.use(
      http.post('*/groups', () =>
        failure('E40029', '重複', [{ field: 'name', message: 'すでに使用されています。' }]),
      ),
    );
    const app = renderApp('/partner/groups/create');
    await fillIn(app, 'Sales');
    await toConfirm(app);
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    expect(await screen.findByText('すでに使用されています。')).toBeTruthy();
    expect(address()).toBe('/partner/groups/create');
    expect(await nameField()).toHaveProperty('value', 'Sales');
    expect((await nameField()).getAttribute('aria-invalid')).toBe('true');
  });

  it('tries an uncertain request again under the same key', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/groups', ({ request }) => {
        keys.push(request.headers.get('idempotency-key'));
        return keys.length === 1 ? HttpResponse.error() : HttpResponse.json({ id: 9 }, { status: 201 });
      }),
    );
    const app = renderApp('/partner/groups/create');
    await fillIn(app, 'Field');
    await toConfirm(app);
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    expect(await screen.findByText('サーバーでエラーが発生しました。')).toBeTruthy();
    await toConfirm(app);
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    await screen.findByText('グループ「Field」を作成しました。');
    expect(keys[1]).toBe(keys[0]);
  });

  it('leads from a confirmation or completion without content to the form', async () => {
    renderApp('/partner/groups/confirm');
    await waitFor(() => expect(address()).toBe('/partner/groups/create'));
  });

  it('asks before what was typed is lost', async () => {
    const app = renderApp('/partner/groups/create');
    await fillIn(app, 'Field');
    await app.user.click(screen.getByRole('link', { name: 'キャンセル' }));
    const dialog = await screen.findByRole('dialog', { name: '入力内容を破棄しますか？' });
    await app.user.click(within(dialog).getByRole('button', { name: 'このページに留まる' }));
    expect(address()).toBe('/partner/groups/create');
    await app.user.click(screen.getByRole('link', { name: 'キャンセル' }));
    await app.user.click(await screen.findByRole('button', { name: '破棄して移動' }));
    await waitFor(() => expect(address()).toBe('/partner/groups'));
    await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]));
  });
});

describe('editing a group', () => {
  it('marks what has changed', async () => {
    const app = renderApp('/partner/groups/edit/?id=3&pn=Sakura');
    await fillIn(app, 'Marketing');
    await toConfirm(app);
    const value = await screen.findByText(/Marketing/);
    expect(value.closest('div')?.textContent).toBe('グループ名Marketing変更あり変更前: Sales');
    expect(address()).toBe('/partner/groups/edit/confirm/?id=3&pn=Sakura');
    expect(screen.getAllByText('変更あり')).toHaveLength(1);
  });

  it('says so when there is no such group', async () => {
    server.use(http.get('*/groups/4', () => failure('E40404', 'グループが見つかりません。')));
    renderApp('/partner/groups/edit/?id=4&pn=Sakura');
    expect(await screen.findByText('グループが見つかりません。')).toBeTruthy();
  });
});

describe('the list', () => {
  it('keeps page, sort and filters in the address and asks the server for them', async () => {
    const asked: string[] = [];
    server.use(
      http.get('*/groups', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json({
          current_page: 1,
          total_page: 5,
          total_count: 45,
          groups: [group(3, 'Sales'), group(4, 'Field')],
        });
      }),
    );
    const { user } = renderApp('/partner/groups?page=2&orderKey=name&order=asc&name=a&perPage=nonsense');
    await screen.findByRole('rowheader', { name: 'Sales' });
    expect(asked[0]).toBe('?page=2&per_page=10&order_key=name&order=asc&name=a');
    const header = screen.getByRole('columnheader', { name: 'グループ名' });
    expect(header.getAttribute('aria-sort')).toBe('ascending');

    await user.click(within(header).getByRole('button'));
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('order')).toBeNull());
    expect(new URLSearchParams(window.location.search).get('page')).toBeNull();

    await user.click(screen.getByRole('button', { name: '条件「グループ名: a」を外す' }));
    await waitFor(() => expect(address()).not.toContain('name=a'));

    await user.click(screen.getByRole('button', { name: '次のページ' }));
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('page')).toBe('2'));
  });

  it('deletes what is selected after naming it, and goes back a page that became empty', async () => {
    let rows = [group(11, 'Last')];
    server.use(
      http.get('*/groups', ({ request }) => {
        const page = Number(new URL(request.url).searchParams.get('page'));
        const groups = page === 1 ? [group(1, 'First')] : rows;
        return HttpResponse.json({
          current_page: page,
          total_page: rows.length === 0 ? 1 : 2,
          total_count: 10 + rows.length,
          groups,
        });
      }),
      http.delete('*/groups/11', () => {
        rows = [];
        return HttpResponse.json({});
      }),
    );
    window.history.pushState(null, '', '/partner/menu');
    const { user } = renderApp('/partner/groups?page=2');
    await user.click(await screen.findByRole('checkbox', { name: '「Last」を選択' }));
    await user.click(screen.getByRole('button', { name: '削除' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('グループ「Last」を削除します。');
    await user.click(within(dialog).getByRole('button', { name: '削除' }));
    expect(await screen.findByText('1件のグループを削除しました。')).toBeTruthy();
    expect(await screen.findByRole('rowheader', { name: 'First' })).toBeTruthy();
    expect(address()).toBe('/partner/groups');
    expect(screen.queryByRole('dialog')).toBeNull();
    window.history.back();
    await waitFor(() => expect(address()).toBe('/partner/menu'));
  });

  it('stays on the page that it goes back to, where what it comes from has fewer', async () => {
    server.use(
      http.get('*/groups', ({ request }) => {
        const query = new URL(request.url).searchParams;
        const reply = { current_page: Number(query.get('page')), total_count: 25 };
        return query.has('name')
          ? HttpResponse.json({ ...onePage(1), groups: [group(3, 'Sales')] })
          : HttpResponse.json({ ...reply, total_page: 3, groups: [group(4, 'Field')] });
      }),
    );
    window.history.pushState(null, '', '/partner/groups?page=3');
    renderApp('/partner/groups?name=sales');
    await screen.findByRole('rowheader', { name: 'Sales' });
    window.history.back();
    await screen.findByRole('rowheader', { name: 'Field' });
    expect(address()).toBe('/partner/groups?page=3');
  });

  it('tells in a modal why a deletion is refused', async () => {
    server.use(http.delete('*/groups/3', () => failure('E40027', 'グループにユーザーが所属しています。')));
    const { user } = renderApp('/partner/groups');
    await user.click(await screen.findByRole('button', { name: '削除: Sales' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    const modal = await screen.findByRole('dialog', { name: 'エラー' });
    expect(modal.textContent).toContain('グループにユーザーが所属しています。');
  });

  it('tells before which groups have users or files, with ways to both, and goes on with the others', async () => {
    const sales = { ...group(3, 'Sales'), user_count: 12 };
    const field = { ...group(4, 'Field'), user_count: 1, file_count: 2 };
    const calls: string[] = [];
    server.use(
      http.get('*/groups', () =>
        HttpResponse.json({ ...onePage(3), groups: [sales, field, group(5, 'Old')] }),
      ),
      http.delete('*/groups/:id', ({ params }) => {
        calls.push(String(params['id']));
        return HttpResponse.json({});
      }),
    );
    const { user } = renderApp('/partner/groups');
    await screen.findByRole('rowheader', { name: 'Old' });
    await user.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await user.click(screen.getByRole('button', { name: '削除' }));
    const dialog = within(await screen.findByRole('dialog', { name: '削除できないグループがあります' }));
    const hrefOf = (name: string) => dialog.getByRole('link', { name }).getAttribute('href');
    expect(hrefOf('ユーザー 12人')).toBe('/partner/users?group=3');
    expect(hrefOf('ユーザー 1人')).toBe('/partner/users?group=4');
    expect(hrefOf('ファイル 2件')).toBe('/partner/files?group=4');
    expect(dialog.queryByRole('link', { name: 'Old' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'ほかの1件を削除へ進む' }));
    const question = await screen.findByRole('dialog', { name: 'グループを削除しますか？' });
    expect(question.textContent).toContain('グループ「Old」を削除します。');
    expect(calls).toEqual([]);
    await user.click(within(question).getByRole('button', { name: '削除' }));
    await screen.findByText('1件のグループを削除しました。');
    expect(calls).toEqual(['5']);
  });

  it('tells of a single one too, and offers nothing that would be refused', async () => {
    server.use(
      http.get('*/groups', () =>
        HttpResponse.json({ ...onePage(1), groups: [{ ...group(3, 'Sales'), file_count: 1 }] }),
      ),
    );
    const { user } = renderApp('/partner/groups');
    await user.click(await screen.findByRole('button', { name: '削除: Sales' }));
    const dialog = within(await screen.findByRole('dialog', { name: '削除できないグループがあります' }));
    expect(dialog.getByRole('link', { name: 'ファイル 1件' })).toBeTruthy();
    expect(dialog.getAllByRole('button')).toHaveLength(1);
  });

  it('deletes all that match by the filter, or says that it is another number and offers to look again', async () => {
    const sent: unknown[] = [];
    let total = 240;
    server.use(
      http.get('*/groups', () =>
        HttpResponse.json({
          ...onePage(total),
          total_page: total / 10,
          groups: [group(3, 'Sales'), group(4, 'Field')],
        }),
      ),
      http.delete('*/groups', async ({ request }) => {
        sent.push(await request.json());
        return sent.length === 1
          ? failure('E40034', 'ステータスが不正です。', [{ field: 'expected_count', message: '250' }])
          : HttpResponse.json({});
      }),
    );
    const { user } = renderApp('/partner/groups?name=e');
    async function deleteAll() {
      await screen.findByRole('rowheader', { name: 'Field' });
      await user.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
      await user.click(screen.getByRole('button', { name: `該当する${total}件すべてを選択` }));
      expect(screen.getByText(`該当する${total}件すべてを選択中`)).toBeTruthy();
      expect(screen.getByRole('checkbox', { name: '「Field」を選択' })).toHaveProperty('checked', true);
      await user.click(screen.getByRole('button', { name: '削除' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'グループを削除しますか？' }));
      expect(dialog.getByText(new RegExp(`^条件に該当する${total}件すべてを、ほかのページ`))).toBeTruthy();
      await user.click(dialog.getByRole('button', { name: '削除' }));
    }
    await deleteAll();
    await screen.findByText('この間に該当する件数が変わったため、何も変更していません。');
    total = 250;
    await user.click(screen.getByRole('button', { name: '一覧を更新' }));
    await screen.findByText('250件');
    expect(screen.queryByText('該当する240件すべてを選択中')).toBeNull();
    await deleteAll();
    await screen.findByText('250件のグループを削除しました。');
    expect(sent).toEqual([
      { filter: { name: 'e' }, expected_count: 240 },
      { filter: { name: 'e' }, expected_count: 250 },
    ]);
  });

  it('says why it is empty, and what failed with a way to try again', async () => {
    let attempts = 0;
    server.use(
      http.get('*/groups', () => {
        attempts += 1;
        return attempts === 1
          ? failure('E40304', 'ご契約のプランではご利用いただけません。')
          : HttpResponse.json({ current_page: 1, total_page: 0, total_count: 0, groups: [] });
      }),
    );
    const { user } = renderApp('/partner/groups');
    expect(await screen.findByText('ご契約のプランではご利用いただけません。')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '再試行' }));
    expect(await screen.findByText('グループはまだありません')).toBeTruthy();
  });

  it('speaks the other language at once, and asks the server in it', async () => {
    const { user } = renderApp('/partner/groups');
    await screen.findByRole('rowheader', { name: 'Sales' });
    await openAccountMenu(user);
    await user.click(screen.getByRole('radio', { name: 'English' }));
    expect(await screen.findByRole('heading', { name: 'Groups' })).toBeTruthy();
    expect(document.documentElement.lang).toBe('en');
    expect(localStorage.getItem('portal.language')).toBe('en');
    await waitFor(() => expect(document.title).toBe('Groups | Haishin Portal'));
  });
});
