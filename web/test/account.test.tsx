import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetChoices } from '../src/lib/choices.ts';
import { createSessionStore } from '../src/lib/session/session-store.ts';
import { createTokenVault } from '../src/lib/session/token-vault.ts';
import { openAccountMenu } from './account-menu.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { adminReply, failure, onePage, partnerReply, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

const codes = Array.from({ length: 10 }, (_, index) => `abcd-efgh-jkmn-000${index}`);
const state = (more: object = {}) => ({ enabled: false, required: false, recovery_codes_left: 0, ...more });
const session = (id: number, more: object = {}) => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  current: false,
  kind: 'portal',
  agent: 'Firefox, Windows',
  address: '192.0.2.1',
  created_at: '2026-11-21T00:00:00Z',
  last_used_at: '2026-11-21T00:00:00Z',
  ...more,
});
const current = session(1, { current: true, agent: 'Chrome, macOS' });

const wantCode = () =>
  HttpResponse.json(
    {
      code: 'E40103',
      message: '確認コードを入力してください。',
      errors: [],
      request_id: 'r',
      challenge: 'c-1',
    },
    { status: 401 },
  );
const wrong = () => failure('E40101', 'ユーザー情報に誤りがあります。');

async function typePassword({ user }: RenderedApp): Promise<void> {
  await user.type(await screen.findByLabelText(/^パスワード必須/), 'password1');
  await user.click(screen.getByRole('button', { name: 'ログイン' }));
}

async function firstStep(app: RenderedApp): Promise<void> {
  await app.user.type(await screen.findByLabelText(/^メールアドレス/), 'hanako@example.com');
  await typePassword(app);
}

const codeField = () => screen.findByLabelText(/^確認コード/);

describe('signing in with two factors', () => {
  const areas = [
    { area: 'partner', login: '*/v2/partner/login', reply: partnerReply, home: '/partner/menu' },
    { area: 'admin', login: '*/v1/admin/login', reply: adminReply, home: '/admin/menu' },
  ] as const;

  it.each(areas)('goes on with a code, in the area $area', async ({ area, home, login, reply }) => {
    const sent: unknown[] = [];
    server.use(
      http.post(login, wantCode),
      http.post(`*/v1/${area}/login/second_factor`, async ({ request }) => {
        sent.push(await request.json());
        return sent.length === 1 ? wrong() : HttpResponse.json(reply);
      }),
    );
    const app = renderApp(`/${area}/login?partner_code=1000`);
    await firstStep(app);
    const field = await codeField();
    expect(await screen.findByRole('heading', { level: 1, name: '2段階認証' })).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(field.getAttribute('autocomplete')).toBe('one-time-code');
    // It is no lost session.
    expect(screen.queryByText(/有効期限が切れました/)).toBeNull();
    await app.user.type(field, '000000{Enter}');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('確認コードが正しくありません。');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    await app.user.clear(field);
    await app.user.type(field, '123 456{Enter}');
    await waitFor(() => expect(address()).toBe(home));
    expect(sent).toEqual([
      { challenge: 'c-1', code: '000000' },
      { challenge: 'c-1', code: '123 456' },
    ]);
  });

  it('takes a recovery code too, and has a way back that keeps who one is', async () => {
    server.use(http.post('*/v2/partner/login', wantCode));
    const app = renderApp('/partner/login/?partner_code=1000');
    await firstStep(app);
    await codeField();
    await app.user.click(screen.getByRole('button', { name: 'リカバリーコードを使う' }));
    const field = await screen.findByLabelText(/^リカバリーコード必須/);
    expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual(['off', 'text']);
    expect(document.activeElement).toBe(field);
    await app.user.click(screen.getByRole('button', { name: '戻る' }));
    const password = await screen.findByLabelText(/^パスワード必須/);
    expect(screen.getByLabelText(/^メールアドレスまたは/)).toHaveProperty('value', 'hanako@example.com');
    expect(password).toHaveProperty('value', '');
    await waitFor(() => expect(document.activeElement).toBe(password));
  });

  it('begins again with the reason when the challenge is over', async () => {
    server.use(
      http.post('*/v2/partner/login', wantCode),
      http.post('*/login/second_factor', () => failure('E40004', '認証の有効期限が切れました。')),
    );
    const app = renderApp('/partner/login/?partner_code=1000');
    await firstStep(app);
    await app.user.type(await codeField(), '123456{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('もう一度パスワードから');
    await screen.findByLabelText(/^パスワード必須/);
  });

  it('does so over a page with unsaved work, which stays', async () => {
    await signInPartner();
    let isOver = false;
    server.use(
      http.post('*/groups', () => {
        if (isOver) return HttpResponse.json({ id: 5 }, { status: 201 });
        return failure('E40102', '認証情報が無効です。');
      }),
      http.post('*/v2/partner/login', wantCode),
      http.post('*/login/second_factor', () => {
        isOver = true;
        return HttpResponse.json({ ...partnerReply, access_token: 'next' });
      }),
    );
    const app = renderApp('/partner/groups/create');
    await app.user.type(await screen.findByLabelText(/^グループ名/), 'Field');
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    const dialog = await screen.findByRole('dialog', { name: 'もう一度ログインしてください' });
    await app.user.type(await within(dialog).findByLabelText(/^パスワード必須/), 'password1{Enter}');
    await app.user.type(await within(dialog).findByLabelText(/^確認コード/), '123456{Enter}');
    expect(await screen.findByText('グループ「Field」を作成しました。')).toBeTruthy();
  });
});

describe('two factors that are required', () => {
  /** Two factors of the server, off at first. */
  function twoFactorOf(area: 'admin' | 'partner') {
    let enabled = false;
    server.use(
      http.get(`*/v1/${area}/two_factor`, () => HttpResponse.json(state({ enabled, required: true }))),
      http.post(`*/v1/${area}/two_factor`, () =>
        HttpResponse.json({
          secret: 'JBSWY3DPEHPK3PXP',
          otpauth_url: 'otpauth://totp/P:h?secret=JBSWY3DPEHPK3PXP',
        }),
      ),
      http.put(`*/v1/${area}/two_factor`, () => {
        enabled = true;
        return HttpResponse.json({ recovery_codes: codes });
      }),
      http.get('*/v2/oauth2/token', () =>
        HttpResponse.json({ access_token: 'whole', token_type: 'Bearer', expires_in: 3600 }),
      ),
    );
  }

  async function setUp({ user }: RenderedApp, done: string): Promise<void> {
    await user.type(await screen.findByLabelText(/^パスワード必須/), 'password1{Enter}');
    expect(await screen.findByRole('img', { name: /^認証アプリに登録するためのQRコード/ })).toBeTruthy();
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
    await user.type(await codeField(), '123456{Enter}');
    expect(
      (await screen.findAllByText(/^abcd-efgh-jkmn-000\d$/)).map(({ textContent }) => textContent),
    ).toEqual(codes);
    const button = screen.getByRole('button', { name: done });
    expect(button).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('checkbox', { name: 'リカバリーコードを保管しました' }));
    await user.click(button);
  }

  it('are set up before anything else, and lead on to where one wanted to go', async () => {
    twoFactorOf('partner');
    let authorization: string | null = null;
    server.use(
      http.post('*/v2/partner/login', () => HttpResponse.json({ ...partnerReply, two_factor_setup: true })),
      http.get('*/groups', ({ request }) => {
        authorization = request.headers.get('authorization');
        return HttpResponse.json({ ...onePage(0), groups: [] });
      }),
    );
    const app = renderApp('/partner/groups?name=Sales');
    await app.user.type(await screen.findByLabelText(/^企業ID/), '1000');
    await firstStep(app);
    await screen.findByRole('heading', { level: 1, name: '2段階認証の設定' });
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(authorization).toBeNull();
    await setUp(app, '続ける');
    await waitFor(() => expect(address()).toBe('/partner/groups?name=Sales'));
    await waitFor(() => expect(authorization).toBe('Bearer whole'));
  });

  it('keep every other page away, after a reload too; one can sign out', async () => {
    twoFactorOf('admin');
    server.use(
      http.post('*/v1/admin/login', () => HttpResponse.json({ ...adminReply, two_factor_setup: true })),
    );
    const app = renderApp('/admin/login');
    await firstStep(app);
    await waitFor(() => expect(address()).toBe('/admin/two-factor'));
    window.history.pushState(null, '', '/admin/account');
    const again = app.reload();
    await waitFor(() => expect(address()).toBe('/admin/two-factor'));
    await again.user.click(await screen.findByRole('button', { name: 'ログアウト' }));
    await waitFor(() => expect(address()).toBe('/admin/login'));
  });

  it('that are there since another tab or a reload need one press', async () => {
    twoFactorOf('partner');
    server.use(
      http.post('*/v2/partner/login', () => HttpResponse.json({ ...partnerReply, two_factor_setup: true })),
      http.get('*/v1/partner/two_factor', () => HttpResponse.json(state({ enabled: true, required: true }))),
    );
    const app = renderApp('/partner/login/?partner_code=1000');
    await firstStep(app);
    await app.user.click(await screen.findByRole('button', { name: '続ける' }));
    await waitFor(() => expect(address()).toBe('/partner/menu'));
  });

  it('are no way to it for a whole session', async () => {
    await signInPartner();
    renderApp('/partner/two-factor');
    await waitFor(() => expect(address()).toBe('/partner/menu'));
  });

  it('come over a page with unsaved work, which stays', async () => {
    twoFactorOf('partner');
    await signInPartner();
    let token = 'partner-token';
    server.use(
      http.post('*/groups', ({ request }) => {
        const given = request.headers.get('authorization');
        if (given === 'Bearer whole') return HttpResponse.json({ id: 5 }, { status: 201 });
        return token === 'small' ? failure('E40301', '権限なし') : failure('E40102', '無効');
      }),
      http.post('*/v2/partner/login', () => {
        token = 'small';
        return HttpResponse.json({ ...partnerReply, access_token: 'small', two_factor_setup: true });
      }),
    );
    const app = renderApp('/partner/groups/create');
    await app.user.type(await screen.findByLabelText(/^グループ名/), 'Field');
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    const dialog = await screen.findByRole('dialog', { name: 'もう一度ログインしてください' });
    await app.user.type(await within(dialog).findByLabelText(/^パスワード必須/), 'password1{Enter}');
    await screen.findByRole('dialog', { name: '続けるには2段階認証の設定が必要です' });
    await setUp(app, '続ける');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/partner/groups/create');
    expect(await screen.findByLabelText(/^グループ名/)).toHaveProperty('value', 'Field');
  });
});

describe('the account', () => {
  beforeEach(() => signInPartner());

  const open = (twoFactor: object, sessions: object[] = [current]) => {
    server.use(
      http.get('*/v1/partner/two_factor', () => HttpResponse.json(twoFactor)),
      http.get('*/v1/partner/sessions', () => HttpResponse.json({ sessions })),
    );
    return renderApp('/partner/account');
  };

  it('warns of few recovery codes, and makes new ones that have to be kept', async () => {
    const { user } = open(state({ enabled: true, recovery_codes_left: 2 }));
    const answered = Promise.withResolvers<void>();
    let sent: unknown;
    server.use(
      http.post('*/two_factor/recovery_codes', async ({ request }) => {
        sent = await request.json();
        await answered.promise;
        return HttpResponse.json({ recovery_codes: codes });
      }),
    );
    expect(await screen.findByText(/残りわずかです/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'リカバリーコードを再発行' }));
    const dialog = await screen.findByRole('dialog', { name: 'リカバリーコードの再発行' });
    await user.type(within(dialog).getByLabelText(/^確認コード/), '123456{Enter}');
    // Too late to cancel: the earlier codes are void, and the new ones are shown here alone.
    const cancel = within(dialog).getByRole('button', { name: 'キャンセル' });
    await waitFor(() => expect(cancel).toHaveProperty('disabled', true));
    fireEvent(dialog, new Event('cancel'));
    answered.resolve();
    expect(await within(dialog).findAllByText(/^abcd-efgh/)).toHaveLength(10);
    expect(sent).toEqual({ code: '123456' });
    const close = within(dialog).getByRole('button', { name: '閉じる' });
    expect(close).toHaveProperty('disabled', true);
    await user.click(within(dialog).getByRole('checkbox'));
    await user.click(close);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('has nothing to turn off where two factors are required', async () => {
    open(state({ enabled: true, required: true, recovery_codes_left: 10 }));
    expect(await screen.findByText('必須')).toBeTruthy();
    expect(screen.queryByText(/残りわずか/)).toBeNull();
    expect(screen.queryByRole('button', { name: '2段階認証を無効にする' })).toBeNull();
    expect(screen.getByRole('button', { name: 'リカバリーコードを再発行' })).toBeTruthy();
  });

  it('turns two factors off with a code, and tells a wrong one at its field', async () => {
    let enabled = true;
    const { user } = open(state());
    server.use(
      http.get('*/v1/partner/two_factor', () =>
        HttpResponse.json(state({ enabled, recovery_codes_left: enabled ? 10 : 0 })),
      ),
      http.delete('*/v1/partner/two_factor', async ({ request }) => {
        const { code } = (await request.json()) as { code: string };
        if (code === '000000')
          return failure('E40002', '不正', [{ field: 'code', message: '確認コードが正しくありません。' }]);
        enabled = false;
        return HttpResponse.json({});
      }),
    );
    await user.click(await screen.findByRole('button', { name: '2段階認証を無効にする' }));
    const dialog = await screen.findByRole('dialog');
    const field = within(dialog).getByLabelText(/^確認コード/);
    await user.type(field, '000000{Enter}');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    await user.clear(field);
    await user.type(field, '123456{Enter}');
    expect(await screen.findByRole('link', { name: '2段階認証を設定' })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('lists the sessions, and ends one or all others after a question', async () => {
    const rows = [current, session(2), session(3, { agent: 'Player/1.0', kind: 'player', address: '' })];
    const ended: string[] = [];
    const { user } = open(state(), rows);
    server.use(
      http.delete('*/v1/partner/sessions/:id', ({ params }) => {
        ended.push(String(params['id']));
        rows.splice(1, 1);
        return HttpResponse.json({});
      }),
      http.delete('*/v1/partner/sessions', () => {
        ended.push('others');
        rows.splice(1);
        return HttpResponse.json({});
      }),
    );
    const list = await screen.findByRole('region', { name: 'ログイン中の端末' });
    expect(await within(list).findByText('この端末')).toBeTruthy();
    expect(within(list).getByText('プレイヤー')).toBeTruthy();
    await user.click(within(list).getByRole('button', { name: 'ログアウトさせる: Firefox, Windows' }));
    const one = await screen.findByRole('dialog');
    expect(one.textContent).toContain('Firefox, Windows');
    expect(ended).toEqual([]);
    await user.click(within(one).getByRole('button', { name: 'ログアウトさせる' }));
    await waitFor(() => expect(within(list).queryByText('Firefox, Windows')).toBeNull());
    await user.click(within(list).getByRole('button', { name: 'ほかの端末をすべてログアウト' }));
    const others = await screen.findByRole('dialog');
    await user.click(within(others).getByRole('button', { name: 'ほかの端末をすべてログアウト' }));
    await waitFor(() => expect(within(list).queryByText('Player/1.0')).toBeNull());
    expect(ended).toEqual([session(2).id, 'others']);
    expect(screen.queryByRole('button', { name: 'ほかの端末をすべてログアウト' })).toBeNull();
  });
});

describe('language and appearance', () => {
  beforeEach(() => forgetChoices());

  /** What the server keeps. */
  function preferencesOf(kept: Record<string, unknown>) {
    const store = { kept, read: 0, written: 0 };
    server.use(
      http.get('*/v1/partner/preferences', () => {
        store.read += 1;
        return HttpResponse.json(store.kept);
      }),
      http.put('*/v1/partner/preferences', async ({ request }) => {
        store.kept = (await request.json()) as Record<string, unknown>;
        store.written += 1;
        return HttpResponse.json({});
      }),
    );
    return store;
  }

  it('are those that were chosen in another browser', async () => {
    const store = preferencesOf({ language: 'en', appearance: 'dark' });
    await signInPartner();
    const app = renderApp('/partner/password/update');
    expect(await screen.findByRole('heading', { level: 1, name: 'Change password' })).toBeTruthy();
    expect(document.documentElement.classList.contains('dark')).toBe(true);
    // For the next first paint.
    expect([localStorage.getItem('portal.language'), localStorage.getItem('portal.theme')]).toEqual([
      'en',
      'dark',
    ]);
    // A page that is loaded again asks only to change something.
    const read = store.read;
    const { user } = app.reload();
    await openAccountMenu(user);
    await user.click(screen.getByRole('radio', { name: 'Light' }));
    await waitFor(() => expect(store.kept).toEqual({ language: 'en', appearance: 'light' }));
    expect(store.read).toBe(read + 1);
  });

  it('are those that are chosen in another tab', async () => {
    preferencesOf({});
    await signInPartner();
    renderApp('/partner/password/update');
    await screen.findByRole('heading', { level: 1, name: 'パスワード変更' });
    const chosenElsewhere = (key: string, newValue: string) => {
      localStorage.setItem(key, newValue);
      window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
    };
    chosenElsewhere('portal.theme', 'dark');
    expect(document.documentElement.classList.contains('dark')).toBe(true);
    chosenElsewhere('portal.language', 'nonsense');
    chosenElsewhere('portal.language', 'en');
    await screen.findByRole('heading', { level: 1, name: 'Change password' });
  });

  it('go to the server once, beside what this version does not know', async () => {
    const store = preferencesOf({ saved_filters: { camelCase: 1 }, language: 'nonsense' });
    await signInPartner();
    const { user } = renderApp('/partner/menu');
    await openAccountMenu(user);
    await user.click(screen.getByRole('radio', { name: 'ダーク' }));
    expect(document.documentElement.classList.contains('dark')).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'English' }));
    await waitFor(() =>
      expect(store.kept).toEqual({ saved_filters: { camelCase: 1 }, language: 'en', appearance: 'dark' }),
    );
    expect(store.written).toBe(1);
    await user.click(screen.getByRole('radio', { name: 'As the device' }));
    await waitFor(() => expect(store.kept['appearance']).toBe('system'));
    expect(localStorage.getItem('portal.theme')).toBeNull();
  });

  it('that were chosen on the way in win over older ones', async () => {
    const store = preferencesOf({ language: 'ja' });
    const app = renderApp('/partner/login/?partner_code=1000');
    await app.user.click(await screen.findByRole('button', { name: 'English' }));
    await app.user.type(await screen.findByLabelText(/^Email address or user ID/), 'hanako@example.com');
    await app.user.type(screen.getByLabelText(/^Password/), 'password1{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'Home' });
    await waitFor(() => expect(store.kept).toEqual({ language: 'en' }));
    expect(document.documentElement.lang).toBe('en');
  });

  it('are nothing to somebody else who signs in in another tab', async () => {
    const store = preferencesOf({});
    const refused = vi.fn(() => failure('E40002', '不正な値です。'));
    server.use(http.put('*/v1/partner/preferences', refused, { once: true }));
    await signInPartner();
    const { user } = renderApp('/partner/menu');
    await openAccountMenu(user);
    await user.click(screen.getByRole('radio', { name: 'ダーク' }));
    await waitFor(() => expect(refused).toHaveBeenCalled());
    await signInPartner({ userId: 99 });
    const key = 'portal.partnerExpiresAt';
    window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }));
    await waitFor(() => expect(screen.queryByRole('radio', { name: 'ダーク' })).toBeNull());
    await openAccountMenu(user);
    await user.click(screen.getByRole('radio', { name: 'English' }));
    await waitFor(() => expect(store.kept['language']).toBe('en'));
    expect(store.kept).toEqual({ language: 'en' });
  });
});

describe('what is required of all', () => {
  it('is changed by a company admin, who is told what follows', async () => {
    await signInPartner();
    let required = false;
    server.use(
      http.get('*/v1/partner/two_factor', () => HttpResponse.json(state())),
      http.get('*/partners/7/security_settings', () => HttpResponse.json({ two_factor_required: required })),
      http.put('*/partners/7/security_settings', async ({ request }) => {
        required = ((await request.json()) as { two_factor_required: boolean }).two_factor_required;
        return HttpResponse.json({});
      }),
    );
    const { user } = renderApp('/partner/security');
    await user.click(await screen.findByRole('button', { name: '必須にする' }));
    expect(required).toBe(false);
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '必須にする' }));
    expect(await screen.findByText('この企業のすべての方に2段階認証が必要です。')).toBeTruthy();
    expect(required).toBe(true);
    expect(screen.getByText(/ご自身の2段階認証は/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '任意に戻す' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '任意に戻す' }));
    expect(await screen.findByRole('button', { name: '必須にする' })).toBeTruthy();
  });

  it('is nothing to an administrator without SuperAdministration', async () => {
    await createSessionStore(createTokenVault()).begin(
      'admin',
      {
        name: 'A',
        email: 'a@example.com',
        role: 1,
        outsourcingFlag: false,
        unitId: null,
        twoFactorSetup: false,
      },
      't',
      3600,
    );
    renderApp('/admin/security');
    expect(await screen.findByText('この操作を行う権限がありません。')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'セキュリティ' })).toBeNull();
  });
});

describe('how somebody else signs in', () => {
  beforeEach(() => signInPartner());

  it('is shown on their page, where an admin ends their sessions and takes two factors away', async () => {
    const done: string[] = [];
    let twoFactor = true;
    server.use(
      http.get('*/partners/7/users/5', () => HttpResponse.json(user(5, 'Jiro', { two_factor: twoFactor }))),
      http.delete('*/partners/7/users/5/:what', ({ params }) => {
        done.push(String(params['what']));
        if (params['what'] === 'two_factor') twoFactor = false;
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/users/detail/?id=5&pn=Sakura');
    const confirm = async (name: string) => {
      await app.user.click(await screen.findByRole('button', { name }));
      const dialog = await screen.findByRole('dialog');
      expect(dialog.textContent).toContain('Jiro');
      await app.user.click(within(dialog).getByRole('button', { name }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await confirm('すべての端末からログアウトさせる');
    await confirm('2段階認証を解除');
    await waitFor(() => expect(screen.queryByRole('button', { name: '2段階認証を解除' })).toBeNull());
    expect(done).toEqual(['sessions', 'two_factor']);
  });

  it('is taken from other company admins who have two factors, on their list', async () => {
    const admin = (id: number, name: string, twoFactor: boolean) => ({
      ...user(id, name),
      two_factor: twoFactor,
      create_user_flag: false,
    });
    let removed: unknown;
    server.use(
      http.get('*/partners/7/admins', () =>
        HttpResponse.json({
          ...onePage(3),
          admins: [admin(1, 'Hanako', true), admin(2, 'Taro', true), admin(3, 'Saburo', false)],
        }),
      ),
      http.delete('*/partners/7/admins/:id/two_factor', ({ params }) => {
        removed = params['id'];
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/admins');
    await screen.findByRole('rowheader', { name: /Taro/ });
    expect(screen.getAllByRole('button', { name: /^2段階認証を解除: / })).toHaveLength(1);
    await app.user.click(screen.getByRole('button', { name: '2段階認証を解除: Taro' }));
    const dialog = await screen.findByRole('dialog');
    await app.user.click(within(dialog).getByRole('button', { name: '2段階認証を解除' }));
    await waitFor(() => expect(removed).toBe('2'));
  });
});
