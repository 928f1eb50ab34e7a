import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../src/lib/i18n.ts';
import { address, renderApp } from './render-app.tsx';
import { failure, file, group, onePage, user as person, server, summary, tenantDetail } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

/** What a company holds, as administrators read it. */

const base = '*/v1/partner/partners/2';
const sales = { id: 3, name: 'Sales' };
const tour = file(5, 'Tour', { state: 'delivered', groups: [{ id: 0, name: '' }, sales] });
const taro = person(8, 'Taro', { groups: [sales] });

/** The calls that were made about the company. */
let asked: string[];
beforeEach(() => {
  asked = [];
  const answer = (path: string, body: object) =>
    http.get(base + path, ({ request }) => {
      const { pathname, search } = new URL(request.url);
      asked.push((pathname.split('/partners/2')[1] ?? '') + search);
      return HttpResponse.json(body);
    });
  server.use(
    http.get('*/v1/admin/partners/2', () => HttpResponse.json(tenantDetail)),
    http.get('*/v1/admin/partners/2/admins', () => HttpResponse.json({ ...onePage(1), admins: [] })),
    answer('/summary', summary()),
    answer('/files', { ...onePage(1), files: [tour] }),
    answer('/files/5', { ...tour, signed_url: null }),
    answer('/users', { ...onePage(1), users: [taro] }),
    answer('/users/8', taro),
    answer('/groups', { ...onePage(1), groups: [group(3, 'Sales')] }),
    answer('/operation_logs', { operation_logs: [], next: null }),
    answer('/groups/3', { ...group(3, 'Sales'), user_count: 1 }),
  );
});

const main = () => within(screen.getByRole('main'));
const buttonsOf = (element: HTMLElement) =>
  within(element)
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);

it('leads from the page of a company to what it holds, and on among it, within the company', async () => {
  await signInAdmin();
  const { user } = renderApp('/admin/partner/menu/?id=2&pn=Sakura');
  await user.click(await screen.findByRole('link', { name: /^ファイル/ }));
  await screen.findByRole('rowheader', { name: /^Tour/ });
  expect(address()).toBe('/admin/partner/files/?id=2&pn=Sakura');
  const crumbs = within(screen.getByRole('navigation', { name: 'パンくずリスト' }));
  expect(crumbs.getByRole('link', { name: 'Sakura' }).getAttribute('href')).toBe(
    '/admin/partner/menu/?id=2&pn=Sakura',
  );
  await user.click(screen.getByRole('link', { name: 'Tour' }));
  await screen.findByRole('heading', { level: 1, name: 'Tour' });
  expect(address()).toBe('/admin/partner/files/detail/?id=5&pn=Sakura&partner=2');
  await user.click(main().getByRole('link', { name: 'Sales' }));
  await screen.findByRole('heading', { level: 1, name: /^Sales/ });
  expect(address()).toBe('/admin/partner/groups/detail/?id=3&pn=Sakura&partner=2');
  expect(screen.getByRole('link', { name: /ユーザー一覧/ }).getAttribute('href')).toBe(
    '/admin/partner/users/?id=2&pn=Sakura&group=3',
  );
  await user.click(await screen.findByRole('link', { name: 'Taro' }));
  await screen.findByRole('heading', { level: 1, name: 'Taro' });
  expect(address()).toBe('/admin/partner/users/detail/?id=8&pn=Sakura&partner=2');
  await user.click(screen.getByRole('link', { name: 'ユーザー' }));
  await screen.findByRole('rowheader', { name: /^Taro/ });
  expect(address()).toBe('/admin/partner/users/?id=2&pn=Sakura');
});

describe('what administrators may not do is not there', () => {
  it.each([
    ['/admin/partner/files/?id=2&pn=Sakura', /^Tour/],
    ['/admin/partner/users/?id=2&pn=Sakura', /^Taro/],
    ['/admin/partner/groups/?id=2&pn=Sakura', /^Sales/],
  ])('on %s', async (path, name) => {
    await signInAdmin();
    const { user } = renderApp(path);
    const row = (await screen.findByRole('rowheader', { name })).closest('tr');
    if (!row) throw new Error('No row');
    expect(buttonsOf(row)).toEqual([]);
    expect(within(row).getAllByRole('link')).toHaveLength(1);
    expect(screen.queryByRole('checkbox', { name: /選択/ })).toBeNull();
    expect(main().queryByRole('button', { name: /CSV/ })).toBeNull();
    expect(main().queryByRole('link', { name: /登録|作成|取り込み|インポート/ })).toBeNull();
    // A list of another company is another list: its filters are for all.
    await user.type(screen.getByRole('searchbox'), 'a{Enter}');
    await waitFor(() => expect(address()).toContain('id=2&pn=Sakura&q=a'));
  });

  it.each([
    ['/admin/partner/files/detail/?id=5&pn=Sakura&partner=2', 'Tour'],
    ['/admin/partner/users/detail/?id=8&pn=Sakura&partner=2', 'Taro'],
    ['/admin/partner/groups/detail/?id=3&pn=Sakura&partner=2', /^Sales/],
  ])('on %s', async (path, name) => {
    await signInAdmin();
    renderApp(path);
    await screen.findByRole('heading', { level: 1, name });
    expect(
      main().queryByRole('button', { name: /編集|削除|ダウンロード|ログアウト|再設定|追加|外す/ }),
    ).toBeNull();
    expect(main().queryByRole('link', { name: /編集|設定する|追加/ })).toBeNull();
    // The history is that of the company.
    await screen.findByText('履歴はありません');
    expect(asked.some((asking) => asking.startsWith('/operation_logs?'))).toBe(true);
  });

  it.each([
    'files/create',
    'files/edit/?id=5&partner=2',
    'users/create',
    'groups/create',
    'groups/edit/?id=3&partner=2',
  ])('nor is there a page for %s', async (path) => {
    await signInAdmin();
    renderApp(`/admin/partner/${path}`);
    await screen.findByRole('heading', { name: 'ページが見つかりません' });
    expect(asked).toEqual([]);
  });
});

it('shows administrators what certificates a company has, in a list that changes nothing and leads no further', async () => {
  const certification = {
    id: 4,
    name: 'Own app',
    certification_file_name: 'app.p12',
    has_api_key: false,
    project_id: null,
    has_certificate: true,
    topic: 'com.example.app',
    certificate_expires_at: '2026-01-01T00:00:00Z',
    in_use: false,
    created_at: '2025-01-01T00:00:00Z',
    updated_at: '2025-01-01T00:00:00Z',
  };
  server.use(
    http.get('*/v1/admin/partners/2/certifications', () =>
      HttpResponse.json({ ...onePage(1), certifications: [certification] }),
    ),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partner/menu/?id=2&pn=Sakura');
  await user.click(await screen.findByRole('link', { name: /^プッシュ証明書 *対象/ }));
  const row = (await screen.findByRole('rowheader', { name: 'Own app' })).closest('tr');
  if (!row) throw new Error('No row');
  expect(address()).toBe('/admin/partner/certifications/?id=2&pn=Sakura');
  expect(within(row).getByText('期限切れ')).toBeTruthy();
  expect(within(row).queryByRole('link')).toBeNull();
  expect(buttonsOf(row)).toEqual([]);
  expect(main().queryByRole('button', { name: /CSV/ })).toBeNull();
  expect(main().queryByRole('link', { name: /登録|追加/ })).toBeNull();
});

it('leads an administrator who only reads of companies to the documents of one', async () => {
  server.use(
    http.get('*/v1/admin/partners/2', () =>
      HttpResponse.json({ ...tenantDetail, contract_rank: 'enterprise' }),
    ),
    http.get('*/api/v2/admin/databases/2', () =>
      HttpResponse.json({
        partner_id: 2,
        partner_name: 'Sakura',
        db: 'd2abc123',
        contract_status: 1,
        start_date: '2026-11-20T00:00:00Z',
        expire_date: '2036-12-20T00:00:00Z',
        usage_bytes: 2048,
        document_count: 3,
        quota_bytes: 104_857_600,
        api_key: null,
      }),
    ),
    http.get('*/api/v2/d2abc123/collection', () =>
      HttpResponse.json({ collections: [{ name: 'orders', count: 3, size: 2048 }] }),
    ),
  );
  await signInAdmin(false, 1);
  const { user } = renderApp('/admin/partner/menu/?id=2&pn=Sakura');
  await user.click(await screen.findByRole('link', { name: /^ドキュメント/ }));
  await screen.findByRole('link', { name: /orders/ });
  expect(address()).toBe('/admin/partner/collections/?id=2&pn=Sakura');
});

it('shows an administrator of files no people, and no way to them', async () => {
  await signInAdmin(false, 3);
  const { user } = renderApp('/admin/partner/menu/?id=2&pn=Sakura');
  await screen.findByRole('link', { name: /^ファイル/ });
  expect(main().queryByRole('link', { name: /^ユーザー|^グループ/ })).toBeNull();
  await user.click(screen.getByRole('link', { name: /^ファイル/ }));
  await user.click(await screen.findByRole('link', { name: 'Tour' }));
  await screen.findByRole('heading', { level: 1, name: 'Tour' });
  expect(main().getByText('Sales')).toBeTruthy();
  expect(main().queryByRole('link', { name: 'Sales' })).toBeNull();
  // Nor does a filter ask for groups.
  expect(asked.filter((path) => /groups|users/.test(path))).toEqual([]);
});

it('shows an administrator of users no groups to filter by', async () => {
  await signInAdmin(false, 7);
  const { user } = renderApp('/admin/partner/users/?id=2&pn=Sakura');
  await screen.findByRole('rowheader', { name: /^Taro/ });
  await user.click(screen.getByRole('button', { name: '検索条件' }));
  const form = within(await screen.findByRole('search', { name: '検索条件' }));
  expect(form.queryByLabelText('グループ')).toBeNull();
  expect(asked.filter((path) => path.startsWith('/groups'))).toEqual([]);
});

it.each([
  ['files', 1],
  ['users', 3],
  ['groups', 7],
])('refuses the page of the %s to role %i', async (held, role) => {
  await signInAdmin(false, role);
  renderApp(`/admin/partner/${held}/?id=2&pn=Sakura`);
  await screen.findByRole('heading', { name: 'このページは利用できません' });
  expect(asked).toEqual([]);
});

it('says what the server says of a company that is not theirs', async () => {
  server.use(
    http.get(`${base}/files`, () => failure('E40402', '企業が見つかりません。')),
    http.get('*/v1/admin/partners/2', () => failure('E40305', '企業が見つかりません。')),
  );
  await signInAdmin(true, 63);
  renderApp('/admin/partner/files/?id=2&pn=Sakura');
  await screen.findByText('企業が見つかりません。');
});

it('goes home without a company', async () => {
  await signInAdmin();
  renderApp('/admin/partner/groups/detail/?id=3');
  await waitFor(() => expect(address()).toBe('/admin/menu'));
});

it('says of an empty list no more than that, in English too', async () => {
  server.use(http.get(`${base}/users`, () => HttpResponse.json({ ...onePage(0), users: [] })));
  await signInAdmin();
  await changeLanguage('en');
  renderApp('/admin/partner/users/?id=2&pn=Sakura');
  await screen.findByText('There are no users yet');
  expect(screen.queryByText(/Create a user/)).toBeNull();
});

it('leaves the area of the company as it is', async () => {
  await signInPartner();
  renderApp('/admin/partner/files/?id=2&pn=Sakura');
  await waitFor(() => expect(address()).toContain('/admin/login'));
});
