import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, server } from './server.ts';

const token = 'token-of-the-mail';
/** Where the account of the link may sign in. */
const both = { portal: true, player: true, partner_code: 'S 1' };
const neither = { portal: false, player: false, partner_code: null };
const path = () => window.location.pathname;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Answers one call and keeps what was sent. */
function answer(method: 'post' | 'put', route: string, reply = () => HttpResponse.json({})): unknown[] {
  const sent: unknown[] = [];
  server.use(
    http[method](`*${route}`, async ({ request }) => {
      sent.push(await request.json());
      return reply();
    }),
  );
  return sent;
}

function link(
  status: boolean,
  places: Omit<typeof both, 'partner_code'> & { partner_code: string | null } = neither,
): string[] {
  const asked: string[] = [];
  server.use(
    http.get('*/v1/password/reset/session', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('reset_token') ?? '');
      return HttpResponse.json({ status, ...places });
    }),
  );
  return asked;
}

async function choose({ user }: ReturnType<typeof renderApp>, password: string, again = password) {
  await user.type(await screen.findByLabelText(/^新しいパスワード必須/), password);
  await user.type(screen.getByLabelText(/^新しいパスワード（確認）/), again);
  await user.click(screen.getByRole('button', { name: 'パスワードを設定する' }));
}

describe('a forgotten password', () => {
  it('of an administrator asks for the mail', async () => {
    const sent = answer('post', '/v1/admin/password/reset_mail');
    const { user } = renderApp('/admin/login');
    await user.click(await screen.findByRole('link', { name: 'パスワードをお忘れの方' }));
    await heading('パスワードの再設定');
    await user.type(screen.getByLabelText(/^メールアドレス/), 'admin@example.com');
    await user.click(screen.getByRole('button', { name: 'メールを送信する' }));
    await screen.findByText(/入力されたアドレスが登録されている場合/);
    expect(path()).toBe('/admin/password/reset-mail-complete');
    expect(sent).toEqual([{ email: 'admin@example.com' }]);
    await user.click(screen.getByRole('link', { name: 'ログイン画面へ' }));
    await waitFor(() => expect(path()).toBe('/admin/login'));
  });

  it('of a company knows the company of its login', async () => {
    const sent = answer('post', '/v1/partner/password/reset_mail');
    const { user } = renderApp('/partner/login/?partner_code=2000');
    await user.click(await screen.findByRole('link', { name: 'パスワードをお忘れの方' }));
    await heading('パスワードの再設定');
    await user.type(screen.getByLabelText(/^メールアドレス/), 'second@example.com');
    await user.click(screen.getByRole('button', { name: 'メールを送信する' }));
    await screen.findByText(/入力されたアドレスが登録されている場合/);
    expect(path()).toBe('/partner/password/reset-mail-complete');
    expect(sent).toEqual([{ partner_code: '2000', email: 'second@example.com' }]);
  });

  it('of a user tells what is missing and what the server refuses', async () => {
    const sent = answer('post', '/v1/user/password/reset_mail', () =>
      failure('E40036', 'メールを送信できませんでした。'),
    );
    const { user } = renderApp('/user/password/reset-mail');
    await user.click(await screen.findByRole('button', { name: 'メールを送信する' }));
    expect((await screen.findByRole('alert')).textContent).toContain('企業ID');
    expect(sent).toEqual([]);
    await user.type(screen.getByLabelText(/^企業ID/), '1000');
    await user.type(screen.getByLabelText(/^メールアドレス/), 'hanako@example.com');
    await user.click(screen.getByRole('button', { name: 'メールを送信する' }));
    await screen.findByText('メールを送信できませんでした。');
    expect(path()).toBe('/user/password/reset-mail');
  });
});

describe('the link of a mail', () => {
  it.each([
    ['/admin/password/reset', '/v1/admin/password/reset', '/admin/password/reset-complete'],
    ['/partner/password/reset', '/v1/partner/password/reset', '/partner/password/reset-complete'],
    ['/user/password/reset', '/v1/user/password/reset', '/user/password/reset-complete'],
    ['/user/password/init', '/v1/user/password/init', '/user/password/reset-complete'],
  ])('%s sets a password', async (opened, route, complete) => {
    const asked = link(true, opened.startsWith('/admin') ? neither : both);
    const sent = answer('put', route);
    const app = renderApp(`${opened}?reset_token=${token}`);
    await choose(app, 'Passw0rd-1');
    await heading('パスワードの設定完了');
    expect(path()).toBe(complete);
    expect(screen.getByRole('link', { name: 'ログイン画面へ' })).toBeTruthy();
    expect(asked[0]).toBe(token);
    expect(sent).toEqual([{ reset_token: token, password: 'Passw0rd-1' }]);
  });

  it.each([
    ['in the portal', { ...both, player: false }, '新しいパスワードでログインしてください。', true],
    [
      'in the player',
      { ...both, portal: false },
      'プレイヤーから新しいパスワードでログインしてください。',
      false,
    ],
    ['in both', both, 'ポータルにもプレイヤーにも、新しいパスワードでログインできます。', true],
  ])(
    'tells who signs in %s so, with what code, and leads to the login of the portal alone',
    async (_, places, text, leads) => {
      link(true, places);
      answer('put', '/v1/user/password/init');
      const app = renderApp(`/user/password/init?reset_token=${token}`);
      await choose(app, 'Passw0rd-1');
      await screen.findByText(`パスワードを設定しました。${text}`);
      expect(screen.getByText('ログインには、企業ID「S 1」も必要です。')).toBeTruthy();
      const toLogin = screen.queryByRole('link', { name: 'ログイン画面へ' });
      expect(toLogin?.getAttribute('href')).toBe(leads ? '/partner/login/?partner_code=S%201' : undefined);
    },
  );

  it('takes the token out of the address, and survives a reload', async () => {
    link(true);
    const sent = answer('put', '/v1/partner/password/reset');
    const app = renderApp(`/partner/password/reset?reset_token=${token}`);
    await screen.findByLabelText(/^新しいパスワード必須/);
    expect(address()).toBe('/partner/password/reset');
    await choose(app.reload(), 'Passw0rd-1');
    await heading('パスワードの設定完了');
    expect(sent).toEqual([{ reset_token: token, password: 'Passw0rd-1' }]);
  });

  it.each(['admin', 'partner', 'user'])('of %s that is over leads to a new mail', async (area) => {
    link(false);
    const { user } = renderApp(`/${area}/password/reset?reset_token=${token}`);
    await heading('リンクの有効期限切れ');
    expect(path()).toBe(`/${area}/password/reset-session-expired`);
    await user.click(screen.getByRole('link', { name: '新しいメールを送信する' }));
    await waitFor(() => expect(path()).toBe(`/${area}/password/reset-mail`));
  });

  it('of a sign-up that is over promises no mail: signing up again is the way', async () => {
    link(false);
    renderApp(`/partner/password/init?reset_token=${token}`);
    await screen.findByText(/お申し込みの7日後から、同じメールアドレスでもう一度お申し込みいただけます/);
    expect(path()).toBe('/partner/password/init-notcompleted');
    expect(screen.queryByRole('link', { name: '新しいメールを送信する' })).toBeNull();
    expect(screen.getByRole('link', { name: 'ログイン画面へ' })).toBeTruthy();
  });

  it.each([
    ['/user/password/init', '/user/password/reset-session-expired'],
    ['/partner/password/init', '/partner/password/init-notcompleted'],
    ['/partner/password/reset', '/partner/password/reset-session-expired'],
  ])('%s without a token is over', async (opened, over) => {
    renderApp(opened);
    await heading('リンクの有効期限切れ');
    expect(path()).toBe(over);
  });

  it.each([
    ['/user/password/init', '/v1/user/password/init', '/user/password/init-notcompleted'],
    ['/admin/password/reset', '/v1/admin/password/reset', '/admin/password/reset-session-expired'],
  ])('%s that ends while the form is open leads to %s', async (opened, route, over) => {
    link(true);
    answer('put', route, () => failure('E40004', '認証の有効期限が切れました。'));
    await choose(renderApp(`${opened}?reset_token=${token}`), 'Passw0rd-1');
    await waitFor(() => expect(path()).toBe(over));
  });

  it('tells what is wrong with a password, and lets try again', async () => {
    link(true);
    const app = renderApp(`/partner/password/reset?reset_token=${token}`);
    await choose(app, 'short', 'other');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('8文字以上の英数字混在のパスワードを入力してください。');
    expect(alert.textContent).toContain('パスワードが一致しません。');

    answer('put', '/v1/partner/password/reset', () =>
      failure('E40002', '入力値が正しくありません。', [
        { field: 'password', message: '現在と同じパスワードは使用できません。' },
      ]),
    );
    for (const field of screen.getAllByLabelText(/^新しいパスワード/)) await app.user.clear(field);
    await choose(app, 'Passw0rd-1');
    expect((await screen.findAllByText(/現在と同じパスワードは使用できません/)).length).toBeGreaterThan(0);
    expect(path()).toBe('/partner/password/reset');
  });
});
