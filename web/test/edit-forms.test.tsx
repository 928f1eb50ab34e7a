import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from './render-app.tsx';
import { failure, file, group, onePage, server, tenant, tenantDetail, unit, user } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const company = '*/v1/partner/partners/7';
const database = {
  partner_id: 2,
  partner_name: 'Sakura',
  partner_code: 'S-1',
  db: 'd7abc123',
  api_key: 'key-1',
  contract_status: 1,
  start_date: '2026-11-21T00:00:00Z',
  expire_date: '2026-12-21T00:00:00Z',
  usage_bytes: 1024,
  document_count: 2,
  quota_bytes: 104_857_600,
};
const asAdmin = () => signInAdmin();
const asPartner = () => signInPartner();

/** What has changed since it was asked for first. */
let isLater: boolean;
/** What the server answers instead of what is edited. */
let refusal: Response | undefined;
const now = <T,>(before: T, after: T): T => (isLater ? after : before);

const answer = (reply: () => object) => () => refusal?.clone() ?? HttpResponse.json(reply() as never);

beforeEach(() => {
  isLater = false;
  refusal = undefined;
  vi.useFakeTimers({ toFake: ['Date'] });
  server.use(
    http.get(
      `${company}/users/12`,
      answer(() => user(12, now('Taro', 'Jiro'))),
    ),
    http.get(
      `${company}/files/1`,
      answer(() => ({
        ...file(1, 'Tour', {
          note: now('old', 'new'),
          groups: now([{ id: 3, name: 'Sales' }], [{ id: 4, name: 'Leads' }]),
        }),
        signed_url: null,
      })),
    ),
    http.get(`${company}/users`, () => HttpResponse.json({ ...onePage(1), users: [user(12, 'Taro')] })),
    http.get(`${company}/files`, () => HttpResponse.json({ ...onePage(1), files: [file(1, 'Tour')] })),
    http.get(`${company}/groups`, () =>
      HttpResponse.json({
        ...onePage(1),
        groups: now([group(3, 'Sales')], [group(3, 'Sales'), group(4, 'Leads')]),
      }),
    ),
    http.get(`${company}/groups/3`, () => HttpResponse.json(group(3, 'Sales'))),
    http.get('*/v1/admin/outsourcing/units/1', () => HttpResponse.json(unit(1, 'East'))),
    http.get('*/v1/admin/partners/2/admins', () => HttpResponse.json({ ...onePage(1), admins: [] })),
    http.get('*/v1/admin/partners', () => HttpResponse.json({ ...onePage(1), partners: [tenant] })),
    http.get(
      '*/v1/admin/partners/2',
      answer(() => ({ ...tenantDetail, license_expired_on: null, comment: now('old', 'new') })),
    ),
    http.get('*/api/v2/admin/databases', () => HttpResponse.json({ ...onePage(1), databases: [database] })),
    http.get(
      '*/api/v2/admin/databases/2',
      answer(() => ({ ...database, contract_status: now(1, 2) })),
    ),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

/** What was asked for is no longer taken for new. */
const later = () => vi.setSystemTime(Date.now() + 60_000);
const lookAgain = () => window.dispatchEvent(new Event('visibilitychange'));
const value = async (label: RegExp) => ((await screen.findByLabelText(label)) as HTMLInputElement).value;
const isChecked = async (name: RegExp, role = 'checkbox') =>
  (await screen.findByRole<HTMLInputElement>(role, { name })).checked;

describe.each([
  {
    of: 'a user',
    link: '編集: Taro',
    signIn: asPartner,
    path: '/partner/users/edit/?id=12&pn=Sakura',
    shows: () => value(/^名前/),
    before: 'Taro',
    after: 'Jiro',
  },
  {
    of: 'a file',
    link: '編集: Tour',
    signIn: asPartner,
    path: '/partner/files/edit/?id=1&pn=Sakura',
    shows: () => value(/^備考/),
    before: 'old',
    after: 'new',
  },
  {
    of: 'the groups of a file',
    link: '配信グループの設定: Tour',
    signIn: asPartner,
    path: '/partner/files/groups/?id=1&pn=Sakura',
    shows: () => isChecked(/^Sales/),
    before: true,
    after: false,
  },
  {
    of: 'a company',
    link: '企業を編集',
    signIn: asAdmin,
    path: '/admin/partners/edit/?id=2&pn=Sakura',
    shows: () => value(/^コメント/),
    before: 'old',
    after: 'new',
  },
  {
    of: 'a database',
    link: '編集: Sakura',
    signIn: asAdmin,
    path: '/admin/databases/edit/?id=2&pn=Sakura',
    shows: () => isChecked(/^本契約/, 'radio'),
    before: false,
    after: true,
  },
])('The form of $of', ({ after, before, link, path, shows, signIn }) => {
  /** Opens it and leaves it; then all changes. */
  async function leave() {
    await signIn();
    const app = renderApp(path);
    expect(await shows()).toBe(before);
    await app.user.click(screen.getByRole('link', { name: 'キャンセル' }));
    const again = await screen.findByRole('link', { name: link });
    isLater = true;
    later();
    return { user: app.user, again };
  }

  it('begins with what is so now, not with what was asked for earlier', async () => {
    const { again, user } = await leave();
    await user.click(again);
    expect(await shows()).toBe(after);
  });

  it('does not begin with what was so where that cannot be asked for', async () => {
    const { again, user } = await leave();
    refusal = failure('E50001', '失敗しました');
    await user.click(again);
    expect(await screen.findByText('失敗しました')).toBeTruthy();
    refusal = undefined;
    await user.click(screen.getByRole('button', { name: '再試行' }));
    expect(await shows()).toBe(after);
  });

  it('stays as it is while it is asked for again', async () => {
    await signIn();
    renderApp(path);
    expect(await shows()).toBe(before);
    const form = document.querySelector('main form');
    isLater = true;
    refusal = failure('E50001', '失敗しました');
    let isAsked = false;
    server.events.on('response:mocked', ({ response }) => {
      if (response.status === 500) isAsked = true;
    });
    later();
    lookAgain();
    await waitFor(() => expect(isAsked).toBe(true));
    expect(document.querySelector('main form')).toBe(form);
    expect(await shows()).toBe(before);
  });
});

it.each(['files/edit/?id=1&pn=Sakura', 'groups/edit/?id=3&pn=Sales'])(
  'The form of %s refuses a name that would be shown in another order',
  async (page) => {
    await asPartner();
    const { user } = renderApp(`/partner/${page}`);
    await user.type(await screen.findByRole('textbox', { name: /^(グループ名|名前)/ }), '\u202Eb');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    expect((await screen.findAllByText(/使用できない文字が含まれています。/)).length).toBeGreaterThan(0);
  },
);

it('A time of which a part is missing is asked for, and is not taken for none', async () => {
  await asAdmin();
  const { user } = renderApp('/admin/partners/edit/?id=2&pn=Sakura');
  const end = await screen.findByLabelText(/^契約期限/);
  // What a browser says of a field that shows 2026/11/--.
  let badInput = true;
  Object.defineProperty(end, 'validity', { get: () => ({ badInput }) });
  const toConfirm = () => user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await toConfirm();
  expect((await screen.findAllByText(/日付と時刻の両方を入力してください。/)).length).toBeGreaterThan(0);
  expect(end.getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByRole('button', { name: '保存する' })).toBeNull();
  badInput = false;
  await toConfirm();
  await screen.findByRole('button', { name: '保存する' });
});
