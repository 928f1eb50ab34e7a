import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, onePage, server, tenantDetail } from './server.ts';
import { signInAdmin } from './sign-in.ts';

const admin = (id: number, name: string) => ({
  id,
  name,
  email: `${name.toLowerCase()}@example.com`,
  login_user_id: null,
  create_user_flag: false,
  two_factor: false,
  last_login_at: null,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
});

const base = '*/v1/admin/partners/2';

beforeEach(() => {
  server.use(
    http.get(base, () => HttpResponse.json({ ...tenantDetail, license_type: 'user' })),
    http.get(`${base}/admins`, () => HttpResponse.json({ ...onePage(1), admins: [admin(12, 'Taro')] })),
    http.get(`${base}/admins/12`, () => HttpResponse.json(admin(12, 'Taro'))),
  );
});

it('lists the admins of the company in the address, and leads from one to the other', async () => {
  await signInAdmin();
  const { user } = renderApp('/admin/partner-admins?id=2&pn=Sakura');
  const link = await screen.findByRole('link', { name: 'Taro' });
  expect(link.getAttribute('href')).toContain('/admin/partner-admins/edit/?id=12&pn=Sakura');
  const crumbs = within(screen.getByRole('navigation', { name: 'パンくずリスト' }));
  expect(crumbs.getByRole('link', { name: '企業' }).getAttribute('href')).toBe('/admin/partners');
  expect(crumbs.getByRole('link', { name: 'Sakura' }).getAttribute('href')).toContain('?id=2&pn=Sakura');
  await user.click(link);
  const name = await screen.findByRole('textbox', { name: /^名前/ });
  await waitFor(() => expect(name).toHaveProperty('value', 'Taro'));
  await user.click(screen.getByRole('link', { name: 'キャンセル' }));
  await screen.findByRole('link', { name: 'Taro' });
  expect(address()).toBe('/admin/partner-admins?id=2&pn=Sakura');
});

it('creates an admin of that company, whose refusal is shown at its field with everything kept', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(`${base}/admins`, async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? failure('E40029', 'この値はすでに使用されています。', [
            { field: 'email', message: 'この値はすでに使用されています。' },
          ])
        : HttpResponse.json({ id: 13 }, { status: 201 });
    }),
  );
  await signInAdmin();
  const { user } = renderApp('/admin/partner-admins/create?id=2&pn=Sakura');
  await user.type(await screen.findByRole('textbox', { name: /^名前/ }), 'Hana');
  await user.type(screen.getByRole('textbox', { name: /^メールアドレス/ }), 'taro@example.com');
  await user.click(screen.getByRole('checkbox', { name: /ユーザーとしても登録/ }));
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '作成する' }));
  const email = await screen.findByRole('textbox', { name: /^メールアドレス/ });
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(email).toHaveProperty('value', 'taro@example.com');
  await user.clear(email);
  await user.type(email, 'hana@example.com');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '作成する' }));
  await screen.findByText('企業管理者「Hana」を作成しました。');
  expect(sent[1]).toEqual({ name: 'Hana', email: 'hana@example.com', create_user_flag: true });
  // What the licences of that company count decides, not those of somebody who is signed in.
  expect(screen.getByText('ユーザーとしても登録し、ライセンスを1つ使用しました。')).toBeTruthy();
  expect(screen.getByRole('link', { name: '続けて作成' }).getAttribute('href')).toBe(
    '/admin/partner-admins/create?id=2&pn=Sakura',
  );
});

it('is refused to an administrator who has no rights over companies', async () => {
  await signInAdmin(false, 15);
  renderApp('/admin/partner-admins?id=2&pn=Sakura');
  await screen.findByRole('heading', { name: 'このページは利用できません' });
});

it.each([
  '/admin/partner-admins',
  '/admin/partner-admins/create',
  '/admin/partner-admins/edit/?id=12&pn=Sakura',
])('sends who has not chosen a company home: %s', async (path) => {
  await signInAdmin();
  renderApp(path);
  await waitFor(() => expect(address()).toBe('/admin/menu'));
});

it('keeps a filter for the admins of every company', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/v1/admin/partners/:pid/admins', ({ params, request }) => {
      asked.push(`${params['pid']} ${new URL(request.url).searchParams.get('name')}`);
      return HttpResponse.json({ ...onePage(1), admins: [admin(12, 'Taro')] });
    }),
  );
  await signInAdmin();
  const app = renderApp('/admin/partner-admins?id=2&pn=Sakura&name=ta');
  await app.user.click(await screen.findByRole('button', { name: '保存した条件' }));
  await app.user.type(screen.getByRole('textbox', { name: '条件の名前' }), 'Those');
  await app.user.click(screen.getByRole('button', { name: '保存' }));
  window.history.pushState(null, '', '/admin/partner-admins?id=5&pn=Ume&page=1');
  const { user } = app.reload();
  await user.click(await screen.findByRole('button', { name: '保存した条件' }));
  await user.click(screen.getByRole('button', { name: 'Those' }));
  await waitFor(() => expect(address()).toBe('/admin/partner-admins?id=5&pn=Ume&name=ta'));
  await waitFor(() => expect(asked.at(-1)).toBe('5 ta'));
});
