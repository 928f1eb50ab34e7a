import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, onePage, server, tenant, tenantDetail, unit } from './server.ts';
import { signInAdmin } from './sign-in.ts';

/** It uses 300 of its 1,200 licences and lasts. */
const lasting = { ...tenantDetail, license_expired_on: null };
const forms = { name: /^企業名/, code: /^企業ID/, count: /^ライセンス数/ };

beforeEach(() => {
  server.use(
    http.get('*/v1/admin/outsourcing/units', () =>
      HttpResponse.json({ ...onePage(1), units: [unit(1, 'East')] }),
    ),
    http.get('*/v1/admin/outsourcing/units/1', () => HttpResponse.json(unit(1, 'East'))),
    http.get('*/v1/admin/partners', () => HttpResponse.json({ ...onePage(1), partners: [tenant] })),
    http.get('*/v1/admin/partners/2', () => HttpResponse.json(lasting)),
  );
});

it('creates a company: the plan fills in, the unit is chosen by typing, and what it has left is told while one types', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('*/v1/admin/partners', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ id: 9, partner_code: '12345678' }, { status: 201 });
    }),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partners/create');
  await user.type(await screen.findByRole('textbox', { name: forms.name }), 'Ume');
  await user.click(screen.getByRole('combobox', { name: /^ユニット/ }));
  await user.click(await screen.findByRole('option', { name: /^East/ }));
  expect(screen.getByRole('radio', { name: '無料' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('radio', { name: 'エントリー' }));
  const count = screen.getByRole('textbox', { name: forms.count });
  expect(count).toHaveProperty('value', '20');
  await screen.findByText('ユニット「East」の残り: 100 → 保存後 80');
  await user.clear(count);
  await user.type(count, '130');
  await screen.findByText('ユニット「East」の残りは100です。30足りません。');
  await user.clear(count);
  await user.type(count, '40');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '作成する' }));
  await screen.findByText('企業「Ume」を作成しました。');
  expect(sent[0]).toMatchObject({ name: 'Ume', unit_id: 1, contract_rank: 'entry', license_count: 40 });
  expect(screen.getByText('企業ID: 12345678')).toBeTruthy();
  expect(screen.getByRole('link', { name: '企業管理者を作成' }).getAttribute('href')).toBe(
    '/admin/partner-admins/create?id=9&pn=Ume',
  );
});

it('says why nobody chooses what the licences of a plan count, nor how many a free company has', async () => {
  const free = { ...lasting, contract_rank: 'free', license_type: 'user', license_count: 1 };
  server.use(
    http.get('*/v1/admin/partners/2', () =>
      HttpResponse.json({ ...free, license_expired_on: '2036-11-30T00:00:00Z' }),
    ),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partners/edit/?id=2&pn=Sakura');
  await screen.findByText('このプランのライセンスはユーザー単位です。');
  expect(screen.getByText('無料プランのライセンス数は変更できません。').nextElementSibling?.textContent).toBe(
    '1',
  );
  expect(screen.queryByRole('textbox', { name: forms.count })).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'エントリー' }));
  expect(screen.getByText('このプランのライセンスはユーザー単位です。')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: forms.count })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'スタンダード' }));
  expect(screen.queryByText('このプランのライセンスはユーザー単位です。')).toBeNull();
});

/** Creates a company with demo users, of whom the server answers `users`. */
async function createWithDemoUsers(
  users: readonly { login_user_id: string; password: string }[] | undefined,
) {
  const sent: unknown[] = [];
  server.use(
    http.post('*/v1/admin/partners', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(
        { id: 9, partner_code: '12345678', ...(users && { demo_users: users }) },
        { status: 201 },
      );
    }),
  );
  await signInAdmin(true, 63);
  const app = renderApp('/admin/partners/create');
  const { user } = app;
  await user.type(await screen.findByRole('textbox', { name: forms.name }), 'Ume');
  await user.click(screen.getByRole('radio', { name: 'エントリー' }));
  await user.click(screen.getByRole('checkbox', { name: 'デモユーザーを作成する' }));
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  const create = await screen.findByRole('button', { name: '作成する' });
  expect(screen.getByText('デモユーザー').nextElementSibling?.textContent).toBe('作成する');
  await user.click(create);
  await screen.findByText('企業「Ume」を作成しました。');
  expect(sent[0]).toMatchObject({ create_demo_users: true });
  return app;
}

const demoUsers = [
  { login_user_id: 'demo1', password: 'first-Passw0rd22' },
  { login_user_id: 'demo2', password: 'other-Passw0rd33' },
];

it('shows the passwords of demo users once: they can be copied, and a reload says that they were shown', async () => {
  const app = await createWithDemoUsers(demoUsers);
  const row = within(screen.getByRole('table', { name: 'デモユーザー' })).getByRole('row', {
    name: /^demo2/,
  });
  expect(within(row).getByText('other-Passw0rd33')).toBeTruthy();
  expect(screen.getByText(/^パスワードが表示されるのは今回だけです/)).toBeTruthy();
  await app.user.click(screen.getByRole('button', { name: '企業IDとパスワードをコピー' }));
  await screen.findByText('コピーしました。');
  expect(await navigator.clipboard.readText()).toBe(
    '企業ID: 12345678\ndemo1\tfirst-Passw0rd22\ndemo2\tother-Passw0rd33',
  );
  expect(JSON.stringify({ ...sessionStorage, ...localStorage, state: history.state })).not.toContain(
    'Passw0rd',
  );

  app.reload();
  await screen.findByText('企業「Ume」を作成しました。');
  expect(
    screen.getByText(/^デモユーザーも作成しました。パスワードは作成直後に一度だけ表示され/),
  ).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByText(/今回だけです/)).toBeNull();
  expect(document.body.textContent).not.toContain('Passw0rd');
});

it('claims no passwords when the answer to a repeated call has none', async () => {
  await createWithDemoUsers(undefined);
  expect(screen.getByText(/^デモユーザーも作成しました。/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

it('leaves demo users out of a new company that is to have none', async () => {
  const sent: object[] = [];
  server.use(
    http.post('*/v1/admin/partners', async ({ request }) => {
      sent.push(JSON.parse(await request.text()));
      return HttpResponse.json({ id: 9, partner_code: '12345678' }, { status: 201 });
    }),
  );
  await signInAdmin(true, 63);
  const { user } = renderApp('/admin/partners/create');
  await user.type(await screen.findByRole('textbox', { name: forms.name }), 'Ume');
  await user.click(screen.getByRole('radio', { name: 'エントリー' }));
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '作成する' }));
  await screen.findByText('企業「Ume」を作成しました。');
  expect(sent[0]).not.toHaveProperty('create_demo_users');
  expect(document.body.textContent).not.toContain('デモユーザー');
});

it('does not offer demo users to a company that is edited', async () => {
  await signInAdmin();
  renderApp('/admin/partners/edit/?id=2&pn=Sakura');
  await screen.findByRole('textbox', { name: forms.code });
  expect(screen.queryByRole('checkbox', { name: 'デモユーザーを作成する' })).toBeNull();
});

it('does not ask an administrator of a unit for the unit', async () => {
  await signInAdmin(true, 63);
  renderApp('/admin/partners/create');
  await screen.findByRole('textbox', { name: forms.name });
  expect(screen.queryByRole('combobox', { name: /^ユニット/ })).toBeNull();
});

it('has the unit chosen from whose page one comes', async () => {
  await signInAdmin();
  const { user } = renderApp('/admin/outsourcing/detail/?id=1&pn=East');
  await user.click(await screen.findByRole('link', { name: '企業を作成' }));
  await waitFor(() => expect(address()).toBe('/admin/partners/create?unitId=1'));
  const chosen = await screen.findByRole('combobox', { name: /^ユニット/ });
  await waitFor(() => expect(chosen).toHaveProperty('value', 'East'));
});

it('takes an administrator of a unit from its page to a company of their own unit', async () => {
  const sent: object[] = [];
  server.use(
    http.post('*/v1/admin/partners', async ({ request }) => {
      sent.push(JSON.parse(await request.text()));
      return HttpResponse.json({ id: 9, partner_code: '12345678' }, { status: 201 });
    }),
  );
  await signInAdmin(true, 63);
  const { user } = renderApp('/admin/outsourcing/detail/?id=1&pn=East');
  await user.click(await screen.findByRole('link', { name: '企業を作成' }));
  await user.type(await screen.findByRole('textbox', { name: forms.name }), 'Ume');
  expect(screen.queryByRole('combobox', { name: /^ユニット/ })).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'エントリー' }));
  await screen.findByText('ユニット「East」の残り: 100 → 保存後 80');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '作成する' }));
  await screen.findByText('企業「Ume」を作成しました。');
  expect(sent[0]).not.toHaveProperty('unit_id');
});

it('sends of an edited company what has changed, tells what a new code means, and shows a refusal at its field', async () => {
  const sent: unknown[] = [];
  server.use(
    http.put('*/v1/admin/partners/2', async ({ request }) => {
      sent.push(await request.json());
      return failure('E40023', 'ライセンス数は有効なユーザー数より少なくできません。', [
        { field: 'license_count', message: 'ライセンス数は有効なユーザー数より少なくできません。' },
      ]);
    }),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partners/edit/?id=2&pn=Sakura');
  const code = await screen.findByRole('textbox', { name: forms.code });
  await user.clear(code);
  await user.type(code, 'S-2');
  const warning = /新しい企業ID「S-2」を入力し直す必要があります/;
  expect(screen.getByText(warning)).toBeTruthy();
  const count = screen.getByRole('textbox', { name: forms.count });
  await user.clear(count);
  await user.type(count, '1');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '保存する' }));
  const refused = await screen.findByRole('textbox', { name: forms.count });
  expect(refused.getAttribute('aria-invalid')).toBe('true');
  expect(refused).toHaveProperty('value', '1');
  expect(sent).toEqual([{ partner_code: 'S-2', license_count: 1 }]);
});

it('edits a trial without an end, which keeps none, and says so', async () => {
  const trial = { ...lasting, contract_rank: 'trial', license_type: 'user', license_count: 5 };
  const sent: unknown[] = [];
  server.use(
    http.get('*/v1/admin/partners/2', () => HttpResponse.json(trial)),
    http.put('*/v1/admin/partners/2', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({});
    }),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partners/edit/?id=2&pn=Sakura');
  const name = await screen.findByRole('textbox', { name: forms.name });
  expect(screen.getByText('空欄の場合、契約に期限はありません。')).toBeTruthy();
  // An end that was set by mistake is taken back.
  await user.click(screen.getByRole('button', { name: '1か月後にする' }));
  await user.click(screen.getByRole('button', { name: '期限なしにする' }));
  await user.clear(name);
  await user.type(name, 'Ume');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  const save = await screen.findByRole('button', { name: '保存する' });
  expect(screen.getByText('契約期限').nextElementSibling?.textContent).toBe('期限なし');
  await user.click(save);
  await screen.findByText('企業「Ume」を更新しました。');
  expect(sent).toEqual([{ name: 'Ume' }]);
});

it('takes the device limit back with another licence type', async () => {
  server.use(
    http.get('*/v1/admin/partners/2', () => HttpResponse.json({ ...lasting, user_device_limit: 3 })),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partners/edit/?id=2&pn=Sakura');
  const limit = await screen.findByRole('textbox', { name: /^ユーザーあたりの端末数/ });
  expect(limit).toHaveProperty('value', '3');
  await user.click(screen.getByRole('radio', { name: 'ユーザー' }));
  expect(limit).toHaveProperty('value', '0');
  // No plan without devices asks for it.
  await user.click(screen.getByRole('radio', { name: 'エントリー' }));
  expect(screen.queryByRole('textbox', { name: /^ユーザーあたりの端末数/ })).toBeNull();
  expect(
    screen.getByText(/このプランでは次の機能が使えなくなります: プッシュ通知、シングルサインオン/),
  ).toBeTruthy();
});

it('says before that a company with data whose contract lasts cannot be deleted', async () => {
  server.use(http.get('*/v1/admin/partners/2', () => HttpResponse.json({ ...lasting, has_data: true })));
  await signInAdmin();
  const { user } = renderApp('/admin/partners');
  await user.click(await screen.findByRole('button', { name: '削除: Sakura' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'この企業はまだ削除できません' }));
  expect(dialog.queryByRole('textbox')).toBeNull();
  expect(dialog.getByRole('link', { name: '契約を終了させる' }).getAttribute('href')).toBe(
    '/admin/partners/edit/?id=2&pn=Sakura',
  );
});

it('deletes a company once its name is typed', async () => {
  let deleted = 0;
  server.use(
    http.delete('*/v1/admin/partners/2', () => {
      deleted += 1;
      return HttpResponse.json({});
    }),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partners');
  await user.click(await screen.findByRole('button', { name: '削除: Sakura' }));
  const name = await screen.findByRole('textbox', {
    name: '確認のため、企業名「Sakura」を入力してください。',
  });
  const dialog = within(screen.getByRole('dialog', { name: '企業を削除しますか？' }));
  await user.type(name, 'Sakur{Enter}');
  expect(dialog.getByRole('button', { name: '企業を削除' })).toHaveProperty('disabled', true);
  expect(deleted).toBe(0);
  await user.type(name, 'a');
  await user.click(dialog.getByRole('button', { name: '企業を削除' }));
  await screen.findByText('企業「Sakura」を削除しました。');
  expect(deleted).toBe(1);
});

it('shows who has undelivered mails of the last days a hundred at a time, and goes back to ten', async () => {
  await signInAdmin();
  const { user } = renderApp('/admin/partners');
  const link = await screen.findByRole('link', { name: '「Sakura」の届かなかったメール' });
  expect(link.getAttribute('href')).toBe('/admin/partners/bounces/?id=2&pn=Sakura');
  const mode = screen.getByRole('button', { name: '直近30日間に届かなかったメール' });
  await user.click(mode);
  await waitFor(() =>
    expect(address()).toBe('/admin/partners?bounceInfoStart=30d&perPage=100&orderKey=bounceCount'),
  );
  await user.click(screen.getByRole('button', { name: '直近30日間に届かなかったメール' }));
  await waitFor(() => expect(address()).toBe('/admin/partners'));
});

it('tells what changed of a licence in words', async () => {
  server.use(
    http.get('*/v1/admin/partners/2/license_updated_logs', () =>
      HttpResponse.json({
        ...onePage(1),
        license_updated_logs: [
          {
            id: 1,
            partner_id: 2,
            partner_name: 'Sakura',
            changed_by: 'admin@example.com',
            before: { contract_rank: 'enterprise', license_count: 600, license_expired_on: null },
            after: { contract_rank: 'entry', license_count: 20, license_expired_on: '2026-11-30T00:00:00Z' },
            changed_at: '2026-11-24T00:00:00Z',
          },
        ],
      }),
    ),
  );
  await signInAdmin();
  renderApp('/admin/partners/license-logs/?id=2&pn=Sakura');
  const rank = (await screen.findByText('契約プラン')).nextElementSibling;
  expect(rank?.textContent).toBe('エンタープライズ →  変更後: エントリー');
  expect(screen.getByText('契約期限').nextElementSibling?.textContent).toMatch(/^期限なし → .*2026\/11\/30/);
});

it.each([
  '/admin/partner/menu',
  '/admin/partners/edit/',
  '/admin/partners/bounces',
  '/admin/partners/license-logs',
])('sends who has not chosen a company home: %s', async (path) => {
  await signInAdmin();
  renderApp(path);
  await waitFor(() => expect(address()).toBe('/admin/menu'));
});
