import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { changeLanguage } from '../src/lib/i18n.ts';
import { openAccountMenu } from './account-menu.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, group, server } from './server.ts';

async function signInPartner({ user }: RenderedApp, identifier = 'hanako@example.com') {
  await user.type(await screen.findByLabelText(/メールアドレスまたはユーザーID/), identifier);
  await user.type(screen.getByLabelText(/^パスワード必須/), 'password1');
  await user.click(screen.getByRole('button', { name: 'ログイン' }));
}

async function signInAdmin({ user }: RenderedApp) {
  await user.type(await screen.findByLabelText(/^メールアドレス/), 'admin@example.com');
  await user.type(screen.getByLabelText(/^パスワード必須/), 'password1');
  await user.click(screen.getByRole('button', { name: 'ログイン' }));
}

describe('signing in', () => {
  it('leads back to the page that was wanted', async () => {
    const app = renderApp('/partner/groups?name=Sales');
    await waitFor(() => expect(address()).toBe('/partner/login/'));
    await app.user.type(await screen.findByLabelText(/^企業ID/), '1000');
    await signInPartner(app);
    expect(await screen.findByRole('rowheader', { name: 'Sales' })).toBeTruthy();
    expect(address()).toBe('/partner/groups?name=Sales');
    expect(localStorage.getItem('code')).toBe('1000');
  });

  it.each([
    ['ja', /権限がありません。プレイヤーからログインしてください。/],
    ['en', /no privilege to use the portal. Sign in with the player./],
  ] as const)('tells those who have the player alone where to go, in %s', async (language, told) => {
    server.use(http.post('*/partner/login', () => failure('E40301', '権限なし')));
    const app = renderApp('/partner/login/?partner_code=2000');
    await signInPartner(app);
    await screen.findByRole('alert');
    await changeLanguage(language);
    expect(await screen.findByText(told)).toBeTruthy();
  });

  it('says what the server refused in the language that is chosen then', async () => {
    server.use(
      http.post('*/partner/login', () =>
        failure('E40002', '入力内容に誤りがあります。', [
          { field: 'login_user_id', message: '20文字以内で入力してください。' },
        ]),
      ),
    );
    const app = renderApp('/partner/login/?partner_code=2000');
    await signInPartner(app, 'taro');
    await screen.findByRole('alert');
    await changeLanguage('en');
    const field = await screen.findByLabelText(/^Email address or user ID/);
    const message = (await screen.findAllByText('Enter at most 20 characters.')).map(({ id }) => id);
    expect(message).toContain(field.getAttribute('aria-describedby'));
    expect(screen.queryByText(/20文字以内/)).toBeNull();
  });

  it('takes the company from the address and sends a user id as such', async () => {
    let sent: unknown;
    server.use(
      http.post('*/partner/login', async ({ request }) => {
        sent = await request.json();
        return failure('E40101', 'ユーザー情報に誤りがあります。');
      }),
    );
    const app = renderApp('/partner/login/?partner_code=2000');
    await signInPartner(app, 'taro_1');
    expect(await screen.findByText('ユーザー情報に誤りがあります。')).toBeTruthy();
    // The text says what is wrong; the number of a request is for failures of the server.
    expect(screen.queryByText('request-1')).toBeNull();
    expect(sent).toEqual({ partner_code: '2000', login_user_id: 'taro_1', password: 'password1' });
    expect(localStorage.getItem('portal.partnerExpiresAt')).toBeNull();
  });

  it.each([
    ['E40101', 'The account or password is incorrect.'],
    ['E40402', 'This company ID is not registered.'],
  ])('tells %s in words for people, and lets them type on', async (code, message) => {
    server.use(http.post('*/partner/login', () => failure(code, 'Of the API')));
    await changeLanguage('en');
    const app = renderApp('/partner/login/?partner_code=2000');
    const field = await screen.findByLabelText(/^Email address or user ID/);
    await app.user.type(field, 'taro');
    await app.user.type(screen.getByLabelText(/^Password/), 'password1');
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.queryByText('Of the API')).toBeNull();
    await app.user.type(field, 'x y');
    expect(document.activeElement).toBe(field);
    expect(field).toHaveProperty('value', 'tarox y');
    await changeLanguage('ja');
  });

  it('tells wrong fields at the field and in a summary that takes the focus', async () => {
    const app = renderApp('/partner/login/?partner_code=2000');
    await signInPartner(app, 'no spaces');
    const field = screen.getByLabelText(/メールアドレスまたはユーザーID/);
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    const summary = screen.getByRole('alert');
    expect(summary.textContent).toContain('半角英数字、ハイフン、アンダースコアのみ使用できます。');
    await waitFor(() => expect(document.activeElement).toBe(summary));
  });

  it('puts the server’s message to its field under the form’s own name', async () => {
    server.use(
      http.post('*/partner/login', () =>
        failure('E40002', 'だめ', [{ field: 'login_user_id', message: 'この値です' }]),
      ),
    );
    const app = renderApp('/partner/login/?partner_code=2000');
    await signInPartner(app, 'taro');
    const message = await screen.findByText('この値です');
    const field = screen.getByLabelText(/メールアドレスまたはユーザーID/);
    expect(field.getAttribute('aria-describedby')).toContain(message.id);
  });

  it('keeps no readable token, and survives a reload', async () => {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await screen.findByRole('heading', { name: 'ホーム' });
    expect(JSON.stringify({ ...localStorage })).not.toContain('partner-token');

    let authorization: string | null = null;
    server.use(
      http.get('*/groups', ({ request }) => {
        authorization = request.headers.get('authorization');
        return HttpResponse.json({
          current_page: 1,
          total_page: 1,
          total_count: 1,
          groups: [group(3, 'Sales')],
        });
      }),
    );
    const again = app.reload();
    await again.user.click((await screen.findAllByRole('link', { name: 'グループ' }))[0] as HTMLElement);
    await screen.findByRole('rowheader', { name: 'Sales' });
    expect(authorization).toBe('Bearer partner-token');
  });
});

describe('a session', () => {
  it('of an administrator excludes one of a partner', async () => {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await screen.findByRole('heading', { name: 'ホーム' });
    window.history.pushState(null, '', '/admin/menu');
    const again = app.reload();
    await signInAdmin(again);
    await waitFor(() => expect(address()).toBe('/admin/menu'));
    expect(localStorage.getItem('portal.adminExpiresAt')).not.toBeNull();
    expect(localStorage.getItem('portal.partnerExpiresAt')).toBeNull();
    expect(localStorage.getItem('portal.partnerToken')).toBeNull();

    window.history.pushState(null, '', '/admin/login');
    again.reload();
    await waitFor(() => expect(address()).toBe('/admin/menu'));
  });

  it('whose end is past or no number is over', async () => {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await screen.findByRole('heading', { name: 'ホーム' });
    localStorage.setItem('portal.partnerExpiresAt', 'soon');
    app.reload();
    await waitFor(() => expect(address()).toBe('/partner/login/?partner_code=1000'));
    expect(localStorage.getItem('portal.partnerToken')).toBeNull();
    expect(await screen.findByText(/有効期限が切れました/)).toBeTruthy();
  });

  it('that the server refuses ends, and says so', async () => {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await screen.findByRole('heading', { name: 'ホーム' });
    server.use(http.get('*/groups', () => failure('E40102', '認証情報が無効です。')));
    await app.user.click((await screen.findAllByRole('link', { name: 'グループ' }))[0] as HTMLElement);
    expect(await screen.findByText(/有効期限が切れました/)).toBeTruthy();
    expect(address()).toBe('/partner/login/?partner_code=1000');
    expect(localStorage.getItem('portal.partnerExpiresAt')).toBeNull();
  });

  describe('of a tenant whose licence is over', () => {
    const over = () => failure('E40302', '契約期間が終了しています。');
    const endsWithOneMessage = async () => {
      await waitFor(() => expect(address()).toBe('/partner/login/?partner_code=1000'));
      expect(await screen.findAllByText('契約期間が終了しています。')).toHaveLength(1);
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(localStorage.getItem('portal.partnerExpiresAt')).toBeNull();
    };

    it('ends with the next page that is read', async () => {
      const app = renderApp('/partner/login/?partner_code=1000');
      await signInPartner(app);
      await screen.findByRole('heading', { name: 'ホーム' });
      server.use(http.get('*/groups', over));
      await app.user.click((await screen.findAllByRole('link', { name: 'グループ' }))[0] as HTMLElement);
      await endsWithOneMessage();
    });

    it('ends with the next change', async () => {
      let app = renderApp('/partner/login/?partner_code=1000');
      await signInPartner(app);
      await screen.findByRole('heading', { name: 'ホーム' });
      window.history.pushState(null, '', '/partner/groups');
      app = app.reload();
      await screen.findByRole('rowheader', { name: 'Sales' });
      server.use(http.delete('*/groups/3', over));
      await app.user.click(screen.getByRole('button', { name: '削除: Sales' }));
      const dialog = within(await screen.findByRole('dialog'));
      await app.user.click(dialog.getByRole('button', { name: '削除' }));
      await endsWithOneMessage();
    });
  });

  it('that another tab ends is over here', async () => {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await screen.findByRole('heading', { name: 'ホーム' });
    localStorage.removeItem('portal.partnerExpiresAt');
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'portal.partnerExpiresAt', storageArea: localStorage }),
    );
    await waitFor(() => expect(address()).toBe('/partner/login/?partner_code=1000'));
  });

  it('ends with a logout even if the server is gone', async () => {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await screen.findByRole('heading', { name: 'ホーム' });
    server.use(http.post('*/logout', () => HttpResponse.error()));
    await openAccountMenu(app.user);
    await app.user.click(screen.getByRole('button', { name: 'ログアウト' }));
    await waitFor(() => expect(address()).toBe('/partner/login/?partner_code=1000'));
    expect(screen.queryByText(/有効期限が切れました/)).toBeNull();
  });
});

describe('what the caller may not do', () => {
  it('is neither in the navigation nor behind its address', async () => {
    server.use(
      http.post('*/partner/login', async () => {
        const { partnerReply } = await import('./server.ts');
        return HttpResponse.json({ ...partnerReply, user: { ...partnerReply.user, role: 16 } });
      }),
    );
    const app = renderApp('/partner/groups/create');
    await app.user.type(await screen.findByLabelText(/^企業ID/), '1000');
    await signInPartner(app);
    expect(await screen.findByText('この操作を行う権限がありません。')).toBeTruthy();
    await app.user.click((await screen.findAllByRole('link', { name: 'グループ' }))[0] as HTMLElement);
    await screen.findByRole('rowheader', { name: 'Sales' });
    expect(screen.queryByRole('link', { name: 'グループを作成' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('the password change', () => {
  async function open() {
    const app = renderApp('/partner/login/?partner_code=1000');
    await signInPartner(app);
    await openAccountMenu(app.user);
    await app.user.click(screen.getByRole('link', { name: 'パスワード変更' }));
    await app.user.type(await screen.findByLabelText(/^現在のパスワード/), 'password1');
    return app;
  }

  it('asks the server whether the new one will do, and tells it at the field', async () => {
    server.use(http.post('*/validate_password', () => HttpResponse.json({ valid: false })));
    const { user } = await open();
    await user.type(screen.getByLabelText(/^新しいパスワード必須/), 'weak');
    await user.tab();
    expect(await screen.findByText('8文字以上の英数字混在のパスワードを入力してください。')).toBeTruthy();
  });

  it('refuses two that differ, shows what the server refuses, and ends on its own page', async () => {
    let attempts = 0;
    server.use(
      http.post('*/validate_password', () => HttpResponse.json({ valid: true })),
      http.put('*/v1/partner/password', () => {
        attempts += 1;
        return attempts === 1
          ? failure('E40002', '不正', [{ field: 'password', message: '同じです' }])
          : HttpResponse.json({});
      }),
    );
    const { user } = await open();
    await user.type(screen.getByLabelText(/^新しいパスワード必須/), 'password2');
    await user.type(screen.getByLabelText(/^新しいパスワード（確認）/), 'password3');
    await user.click(screen.getByRole('button', { name: '変更する' }));
    expect((await screen.findAllByText(/パスワードが一致しません。/)).length).toBeGreaterThan(0);
    expect(attempts).toBe(0);

    await user.clear(screen.getByLabelText(/^新しいパスワード（確認）/));
    await user.type(screen.getByLabelText(/^新しいパスワード（確認）/), 'password2');
    await user.click(screen.getByRole('button', { name: '変更する' }));
    expect(await screen.findByText('同じです')).toBeTruthy();

    await user.click(screen.getByRole('button', { name: '変更する' }));
    await waitFor(() => expect(address()).toBe('/partner/password/complete'));
    expect((await screen.findAllByText(/パスワードを変更しました/)).length).toBeGreaterThan(0);
  });
});
