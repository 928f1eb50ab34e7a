import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { rolesToGive } from '../src/components/administrators/role.ts';
import { unitBody, unitSchema } from '../src/features/admin/outsourcing/unit-rules.ts';
import { address, renderApp } from './render-app.tsx';
import { failure, licence, onePage, server, unit } from './server.ts';
import { signInAdmin } from './sign-in.ts';

const times = { created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' };
const east = unit(1, 'East', {
  partners: [{ ...licence, id: 2, name: 'Sakura' }],
  admins: [{ admin_id: 5, admin_name: 'Ueda', admin_email: 'ueda@example.com', role: 63 }],
});
const admin = (admin_id: number, admin_name: string, more: object = {}) => ({
  admin_id,
  admin_name,
  admin_email: `${admin_name.toLowerCase()}@example.com`,
  role: 63,
  two_factor: false,
  last_login_at: null,
  ...times,
  ...more,
});

const units = '*/v1/admin/outsourcing/units';

/** Answers the unit list and keeps what was asked. */
function answerUnits(...rows: object[]): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get(units, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ ...onePage(rows.length), units: rows });
    }),
  );
  return asked;
}

describe('the unit list', () => {
  beforeEach(() => signInAdmin());

  it('is sorted by name, shows how far licences are used, and opens to partners and administrators', async () => {
    const asked = answerUnits(east);
    const { user } = renderApp('/admin/outsourcing?q=ea');
    const meter = await screen.findByRole('meter', { name: '「East」のライセンス' });
    expect(meter.getAttribute('aria-valuetext')).toBe('1,900 / 2,000');
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      page: '1',
      per_page: '10',
      order_key: 'name',
      order: 'asc',
      q: 'ea',
    });

    const toggle = screen.getByRole('button', { name: '「East」の詳細' });
    await user.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    const partners = within(screen.getByRole('table', { name: '「East」の企業' }));
    expect(partners.getByRole('link', { name: 'Sakura' })).toBeTruthy();
    const admins = within(screen.getByRole('table', { name: '「East」の管理者' }));
    expect(admins.getByText('管理者の管理')).toBeTruthy();
    expect(admins.getByRole('link', { name: 'Ueda' }).getAttribute('href')).toBe(
      '/admin/outsourcing/admins/edit/?id=5&pn=East&unit=1',
    );
    await user.click(toggle);
    expect(screen.queryByRole('table', { name: '「East」の企業' })).toBeNull();
  });

  it('tells before which units have companies or administrators, and deletes the others', async () => {
    answerUnits(east, unit(2, 'West'));
    const deleted: string[] = [];
    server.use(
      http.delete(`${units}/:id`, ({ params }) => {
        deleted.push(String(params['id']));
        return HttpResponse.json({});
      }),
    );
    const { user } = renderApp('/admin/outsourcing');
    await screen.findByRole('rowheader', { name: /East/ });
    await user.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await user.click(screen.getByRole('button', { name: '削除' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('link', { name: '企業 1件' }).getAttribute('href')).toBe(
      '/admin/partners?unitId=1',
    );
    expect(dialog.getByRole('link', { name: '管理者 1人' }).getAttribute('href')).toBe(
      '/admin/outsourcing/admins?id=1&pn=East',
    );
    await user.click(dialog.getByRole('button', { name: 'ほかの1件を削除' }));
    const question = within(await screen.findByRole('dialog'));
    expect(question.getByText(/「West」を削除します/)).toBeTruthy();
    await user.click(question.getByRole('button', { name: '削除' }));
    await waitFor(() => expect(deleted).toEqual(['2']));
  });

  it('tells what comes first while there are none', async () => {
    answerUnits();
    renderApp('/admin/outsourcing');
    expect(await screen.findByText('ユニットはまだありません')).toBeTruthy();
    expect(screen.getAllByRole('link', { name: 'ユニットを作成' })).toHaveLength(2);
  });

  it('is one to look at for the administrator of a unit, without what they may not do', async () => {
    await signInAdmin(true, 63);
    answerUnits(east);
    renderApp('/admin/outsourcing');
    await screen.findByRole('rowheader', { name: /East/ });
    expect(screen.queryByRole('searchbox')).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    for (const name of ['ユニットを作成', '編集: East'])
      expect(screen.queryByRole('link', { name })).toBeNull();
    expect(screen.queryByRole('button', { name: '削除: East' })).toBeNull();
  });
});

describe('the form of a unit', () => {
  const values = {
    name: 'East',
    allocatedLicense: '2000',
    ownerPartnerid: 0,
    canForceDistributeApp: false,
  };
  it.each([
    ['', 'required'],
    ['-1', 'outOfRange'],
    ['1.5', 'outOfRange'],
    ['x', 'outOfRange'],
    ['10000001', 'outOfRange'],
    // Less than its companies have.
    ['1899', 'outOfRange'],
    ['1900', undefined],
    ['10000000', undefined],
  ])('takes %j licences: %s', (allocatedLicense, message) => {
    const { error } = unitSchema(1900).safeParse({ ...values, allocatedLicense });
    expect(error?.issues.map((issue) => issue.message)).toEqual(message && [message]);
  });

  it('sends numbers', () => {
    expect(unitBody(values)).toEqual({ ...values, allocatedLicense: 2000 });
  });

  it('says what the server refuses at its field', async () => {
    await signInAdmin();
    server.use(
      http.post(units, () =>
        failure('E40029', '同じ名前がすでに使われています。', [
          { field: 'name', message: '同じ名前がすでに使われています。' },
        ]),
      ),
    );
    const { user } = renderApp('/admin/outsourcing/create');
    await user.type(await screen.findByLabelText(/^ユニット名/), 'East');
    await user.type(screen.getByLabelText(/^割り当てライセンス数/), '10');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await user.click(await screen.findByRole('button', { name: '作成する' }));
    const name = await screen.findByLabelText(/^ユニット名/);
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    expect(name).toHaveProperty('value', 'East');
  });

  it('begins with what is so now, however lately it was asked for before', async () => {
    await signInAdmin();
    let name = 'East';
    server.use(
      http.get(`${units}/1`, () => HttpResponse.json({ ...east, unit_name: name })),
      http.put(`${units}/1`, () => {
        name = 'East and West';
        return HttpResponse.json({});
      }),
    );
    answerUnits(east);
    const { user } = renderApp('/admin/outsourcing/edit/?id=1&pn=East');
    const field = await screen.findByLabelText(/^ユニット名/);
    await user.type(field, ' and West');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await user.click(await screen.findByRole('button', { name: '保存する' }));
    await user.click(await screen.findByRole('link', { name: '一覧へ戻る' }));
    await user.click(await screen.findByRole('link', { name: '編集: East' }));
    expect(await screen.findByLabelText(/^ユニット名/)).toHaveProperty('value', 'East and West');
  });
});

describe('the administrators of a unit', () => {
  const own = admin(9, 'Admin');
  const answerAdmins = (unitId: number, ...admins: object[]) =>
    server.use(http.get(`${units}/${unitId}/admins`, () => HttpResponse.json({ admins })));

  it('are those of the unit in the address, found and sorted here', async () => {
    await signInAdmin();
    answerAdmins(3, admin(5, 'Ueda'), admin(6, 'Abe', { two_factor: true }));
    const { user } = renderApp('/admin/outsourcing/admins?id=3&pn=East');
    await screen.findByRole('rowheader', { name: /Ueda/ });
    const names = () =>
      screen.getAllByRole('rowheader').map((row) => within(row).getByRole('link').textContent);
    expect(names()).toEqual(['Abe', 'Ueda']);
    expect(screen.getByRole('button', { name: '2段階認証を解除: Abe' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '2段階認証を解除: Ueda' })).toBeNull();
    expect(screen.getByRole('link', { name: 'ユニット管理者を作成' }).getAttribute('href')).toBe(
      '/admin/outsourcing/admins/create?id=3&pn=East',
    );
    await user.type(screen.getByRole('searchbox'), 'ueda@{Enter}');
    await waitFor(() => expect(names()).toEqual(['Ueda']));
    expect(address()).toContain('id=3');
  });

  it('of nowhere lead to the units', async () => {
    await signInAdmin();
    answerUnits(east);
    renderApp('/admin/outsourcing/admins');
    await screen.findByRole('rowheader', { name: /East/ });
    expect(address()).toBe('/admin/outsourcing');
  });

  it('are for an administrator of a unit the own ones, without oneself to delete', async () => {
    await signInAdmin(true, 63, 3);
    answerAdmins(3, own, admin(6, 'Abe'));
    renderApp('/admin/outsourcing/admins?id=4&pn=Other');
    expect(await screen.findByRole('button', { name: '削除: Abe' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '削除: Admin' })).toBeNull();
    expect(screen.getByText('（ご自身）')).toBeTruthy();
  });

  it('get a password, and no role that the giver lacks', async () => {
    await signInAdmin(true, 63, 3);
    let body: unknown;
    server.use(
      http.post(`${units}/3/admins`, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({ id: 7 }, { status: 201 });
      }),
    );
    const { user } = renderApp('/admin/outsourcing/admins/create');
    await user.type(await screen.findByLabelText(/^氏名/), 'Abe');
    await user.type(screen.getByLabelText(/^メールアドレス/), 'abe@example.com');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    const password = screen.getByLabelText(/^パスワード/, { selector: 'input' });
    await waitFor(() => expect(password.getAttribute('aria-invalid')).toBe('true'));
    await user.type(password, 'Passw0rd-abe');
    expect(screen.getAllByRole('radio')).toHaveLength(6);
    await user.click(screen.getByRole('radio', { name: /^グループの閲覧/ }));
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await user.click(await screen.findByRole('button', { name: '作成する' }));
    expect(await screen.findByText(/ご本人に伝えてください/)).toBeTruthy();
    expect(body).toEqual({ name: 'Abe', email: 'abe@example.com', password: 'Passw0rd-abe', role: 15 });
  });

  it.each([
    [127, 'platform', [127, 63, 31, 15, 7, 3, 1]],
    [127, 'unit', [63, 31, 15, 7, 3, 1]],
    [63, 'platform', [63, 31, 15, 7, 3, 1]],
    [31, 'unit', [31, 15, 7, 3, 1]],
  ] as const)('with role %s can be given in the %s: %s', (giver, of, roles) => {
    expect(rolesToGive(giver, of)).toEqual(roles);
  });
});

describe('the way from one list to another', () => {
  it('leaves everything of the first behind, such as its selection', async () => {
    await signInAdmin();
    answerUnits(east);
    const ueda = {
      id: 1,
      name: 'Ueda',
      email: 'ueda@example.com',
      role: 127,
      two_factor: false,
      last_login_at: null,
      ...times,
    };
    server.use(http.get('*/v1/admin/admins', () => HttpResponse.json({ ...onePage(1), admins: [ueda] })));
    const { user } = renderApp('/admin/outsourcing');
    await user.click(await screen.findByRole('checkbox', { name: '「East」を選択' }));
    const navigation = within(screen.getByRole('navigation', { name: 'メインメニュー' }));
    await user.click(navigation.getByRole('link', { name: 'プラットフォーム管理者' }));
    expect(await screen.findByRole('checkbox', { name: '「Ueda」を選択' })).toHaveProperty('checked', false);
    expect(screen.getByRole('heading', { level: 1, name: 'プラットフォーム管理者' })).toBeTruthy();
  });
});

describe('a role that another administrator has changed', () => {
  it('is asked for after a refusal, and leaves out at once what it does not allow', async () => {
    await signInAdmin();
    answerUnits(east);
    const forbidden = () => failure('E40301', '権限がありません。');
    server.use(
      http.delete(`${units}/1`, forbidden),
      http.get('*/v1/admin/admins', forbidden),
      http.get('*/v1/token/validate', () =>
        HttpResponse.json({ valid: true, kind: 'admin', role: 1, expires_in: 3000 }),
      ),
    );
    renderApp('/admin/admins');
    expect(await screen.findByRole('heading', { name: 'このページは利用できません' })).toBeTruthy();
    const navigation = within(screen.getByRole('navigation', { name: 'メインメニュー' }));
    expect(navigation.queryByRole('link', { name: 'プラットフォーム管理者' })).toBeNull();
    expect(navigation.getByRole('link', { name: '企業' })).toBeTruthy();
  });
});
