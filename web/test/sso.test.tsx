import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, partnerReply, server, tenantDetail } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

const setting = (more: object = {}) => ({
  login_url: null,
  metadata: btoa('<xml/>'),
  metadata_url: 'https://idp.example.com/metadata',
  default_group: 3,
  group_attribute: 'groups',
  username_attribute: null,
  entity_id_suffix: null,
  use_sso_flag: true,
  sso_only: false,
  entity_id: 'https://portal.example.com/v1/user/login/sso/metadata/1000',
  acs_url: 'https://portal.example.com/v1/user/login/sso/acs',
  sp_metadata_url: 'https://portal.example.com/v1/user/login/sso/metadata?partner_code=1000',
  certificate_expires_at: inDays(400),
  metadata_fetched_at: '2026-11-24T00:00:00Z',
  last_login_at: '2026-11-24T01:00:00Z',
  last_error: null,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
  ...more,
});

const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/entity">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/>
</EntityDescriptor>`;

const own = '*/v1/partner/partners/7/sso';
const missing = (path: string) => http.get(path, () => failure('E40401', '見つかりません。'));
const press = async ({ user }: RenderedApp, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));

const withTokens = (...names: string[]) =>
  http.get(`${own}/tokens`, () =>
    HttpResponse.json({
      tokens: names.map((name, index) => ({
        id: index + 1,
        name,
        created_at: '2026-11-21T00:00:00Z',
        last_used_at: null,
      })),
    }),
  );

beforeEach(() => {
  server.use(
    withTokens(),
    http.get(`${own}/sign_ins`, () => HttpResponse.json({ sign_ins: [] })),
  );
});

describe('single sign-on of the own company', () => {
  beforeEach(() => signInPartner());

  it('before it is set up, tells what to register and how', async () => {
    server.use(missing(own));
    const app = renderApp('/partner/sso');
    await screen.findByRole('heading', { name: 'シングルサインオンはまだ設定されていません' });
    const acs = `${window.location.origin}/v1/user/login/sso/acs`;
    expect(screen.getAllByText(acs).length).toBeGreaterThan(1);
    // The guide has the values of this company at each provider.
    for (const provider of ['Okta', 'Google Workspace', 'Keycloak']) {
      await app.user.click(screen.getByRole('tab', { name: provider }));
      expect(
        screen.getAllByText(`${window.location.origin}/v1/user/login/sso/metadata/1000`).length,
      ).toBeGreaterThan(provider === 'Keycloak' ? 0 : 1);
    }
    expect(screen.getAllByText(`${window.location.origin}/scim/v2/7`).length).toBeGreaterThan(1);
  });

  it('is set up with a metadata file, confirmed and sent in base64', async () => {
    let sent: unknown;
    server.use(
      missing(own),
      http.post(own, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ id: 7 }, { status: 201 });
      }),
    );
    const app = renderApp('/partner/sso/edit');
    await app.user.click(await screen.findByRole('radio', { name: 'ファイルを選ぶ' }));
    const choose = (name: string, text: string) =>
      fireEvent.change(screen.getByLabelText('メタデータのファイル'), {
        target: { files: [new File([text], name)] },
      });
    // Metadata of a service provider, or with a DOCTYPE, is refused at once.
    choose('sp.xml', metadata.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'));
    expect(await screen.findAllByText(/^SAMLのIDプロバイダーのメタデータ/)).toBeTruthy();
    choose('idp.xml', metadata);
    await app.user.type(screen.getByLabelText(/^グループの属性/), 'groups');
    await app.user.click(screen.getByRole('checkbox', { name: /だけを許可/ }));
    await press(app, '確認へ進む');
    await waitFor(() => expect(address()).toBe('/partner/sso/confirm'));
    await screen.findByText('https://idp.example.com/entity');
    expect(screen.getByText(/^企業管理者以外の全員が/)).toBeTruthy();
    await press(app, '保存する');
    await screen.findByText('シングルサインオンを設定しました。');
    expect(sent).toEqual({
      metadata: btoa(metadata),
      metadata_url: null,
      use_sso_flag: true,
      sso_only: true,
      username_attribute: '',
      group_attribute: 'groups',
      default_group: null,
      login_url: '',
      entity_id_suffix: '',
    });
  });

  it('is changed without its metadata, and nothing is lost on the way back from a refusal', async () => {
    let sent: unknown;
    server.use(
      http.get(own, () => HttpResponse.json(setting({ metadata_url: null }))),
      http.put(own, async ({ request }) => {
        sent = await request.json();
        return failure('E40029', '一意ではありません。', [
          { field: 'entity_id_suffix', message: 'すでに使用されています。' },
        ]);
      }),
    );
    const app = renderApp('/partner/sso/edit');
    await app.user.type(await screen.findByLabelText(/^エンティティIDの末尾/), 'second');
    expect(screen.getByText(/^エンティティIDが変わります。/)).toBeTruthy();
    await press(app, '確認へ進む');
    await press(app, '保存する');
    await waitFor(() => expect(address()).toBe('/partner/sso/edit'));
    expect(await screen.findAllByText(/すでに使用されています。/)).toBeTruthy();
    expect(screen.getByDisplayValue('second')).toBeTruthy();
    expect(sent).not.toHaveProperty('metadata');
    expect(sent).not.toHaveProperty('metadata_url');
  });

  it.each([
    ['登録済みのものを使う', undefined],
    [/^アドレスから/, 'https://idp.example.com/metadata'],
  ])(
    'is changed with its metadata by %s, so a provider that does not answer is asked only by choice',
    async (name, metadataUrl) => {
      let sent: unknown;
      server.use(
        http.get(own, () => HttpResponse.json(setting({ sso_only: true }))),
        http.put(own, async ({ request }) => {
          sent = await request.json();
          return HttpResponse.json({});
        }),
      );
      const app = renderApp('/partner/sso/edit');
      expect(
        (await screen.findByRole<HTMLInputElement>('radio', { name: '登録済みのものを使う' })).checked,
      ).toBe(true);
      await app.user.click(screen.getByRole('radio', { name }));
      await app.user.click(screen.getByRole('checkbox', { name: /だけを許可/ }));
      await press(app, '確認へ進む');
      await screen.findByText('https://idp.example.com/metadata');
      await press(app, '保存する');
      await waitFor(() =>
        expect(sent).toEqual({
          ...(metadataUrl !== undefined && { metadata_url: metadataUrl }),
          sso_only: false,
        }),
      );
    },
  );

  it('refuses a form without an address of the metadata', async () => {
    server.use(missing(own));
    const app = renderApp('/partner/sso/edit');
    await screen.findByLabelText(/^メタデータのアドレス/);
    await press(app, '確認へ進む');
    await screen.findByRole('alert');
    await app.user.type(screen.getByLabelText(/^メタデータのアドレス/), 'not an address');
    await press(app, '確認へ進む');
    expect(address()).toBe('/partner/sso/edit');
  });

  it('tells what ends, what was refused and how to mend it', async () => {
    server.use(
      http.get(own, () =>
        HttpResponse.json(
          setting({
            certificate_expires_at: inDays(12),
            last_error: { at: '2026-11-25T01:00:00Z', reason: 'audience: https://elsewhere' },
          }),
        ),
      ),
      http.get(`${own}/sign_ins`, () =>
        HttpResponse.json({
          sign_ins: [
            { at: '2026-11-25T01:00:00Z', identifier: 'hanako@example.com', reason: 'audience: x' },
            { at: '2026-11-24T01:00:00Z', identifier: 'taro', reason: null },
          ],
        }),
      ),
    );
    renderApp('/partner/sso');
    await screen.findByText(/署名証明書の期限まであと12日です/);
    expect(
      screen.getAllByText(/Audience）が、このポータルのエンティティIDと違います/).length,
    ).toBeGreaterThan(1);
    expect(screen.getByText(/この画面の値と同じにしてください/)).toBeTruthy();
    expect(screen.getByText('audience: https://elsewhere')).toBeTruthy();
    await screen.findByRole('rowheader', { name: 'taro' });
  });

  it('shows what came of a test, which a window of its own makes', async () => {
    const opened = { opener: window, location: { href: '' }, close: vi.fn() };
    // Of a window the screen uses these three alone.
    const open = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    let state = 'waiting';
    const id = '0b6f7a6e-6a0e-4b6d-9d2f-2f1f0e9c8b7a';
    const result = () => ({
      state,
      identifier: 'hanako@example.com',
      name: '花子',
      user_id: null,
      groups: [
        { name: 'Sales', known: true },
        { name: 'Elsewhere', known: false },
      ],
      attributes: [{ name: 'groups', values: ['Sales', 'Elsewhere'] }],
      reason: state === 'refused' ? 'wrongSignature' : null,
    });
    server.use(
      http.get(own, () => HttpResponse.json(setting())),
      http.post(`${own}/test`, () => HttpResponse.json({ id, url: 'https://portal.example.com/test' })),
      http.get(`${own}/test/${id}`, () => HttpResponse.json(result())),
    );
    const app = renderApp('/partner/sso');
    await press(app, 'テスト');
    await screen.findByText(/開いたウィンドウで/);
    expect(opened.location.href).toBe('https://portal.example.com/test');
    expect(opened.opener).toBeNull();
    state = 'accepted';
    await screen.findByText('この人としてログインできます。', {}, { timeout: 4000 });
    expect(screen.getByText(/Elsewhere（このポータルにないため無視されます）/)).toBeTruthy();
    open.mockRestore();

    state = 'refused';
    renderApp(`/partner/sso/test?test=${id}`);
    await screen.findByText(/署名が、登録された証明書のものではありません。/);
    expect(screen.getByText(/新しいメタデータを登録してください/)).toBeTruthy();
  });

  it('makes tokens, which are shown once, and revokes them', async () => {
    const names = ['Entra ID'];
    const answered = Promise.withResolvers<void>();
    let made: unknown;
    server.use(
      missing(own),
      http.get(`${own}/tokens`, () =>
        HttpResponse.json({
          tokens: names.map((name, index) => ({
            id: index + 1,
            name,
            created_at: '2026-11-21T00:00:00Z',
            last_used_at: null,
          })),
        }),
      ),
      http.post(`${own}/tokens`, async ({ request }) => {
        made = await request.json();
        names.push('Okta');
        await answered.promise;
        return HttpResponse.json({ id: 2, token: 'shown-once' }, { status: 201 });
      }),
      http.delete(`${own}/tokens/1`, () => {
        names.shift();
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/sso');
    await screen.findByRole('rowheader', { name: 'Entra ID' });
    await press(app, 'トークンを作成');
    const dialog = await screen.findByRole('dialog', { name: 'トークンを作成' });
    await app.user.type(within(dialog).getByLabelText(/^トークンの名前/), 'Okta');
    await app.user.click(within(dialog).getByRole('button', { name: 'トークンを作成' }));
    // Too late to cancel: a token that nobody has seen would be one of the five.
    const cancel = within(dialog).getByRole('button', { name: 'キャンセル' });
    await waitFor(() => expect(cancel).toHaveProperty('disabled', true));
    fireEvent(dialog, new Event('cancel'));
    answered.resolve();
    await screen.findByText('shown-once');
    expect(made).toEqual({ name: 'Okta' });
    window.history.back();
    await app.user.click(
      within(await screen.findByRole('dialog', { name: 'トークンをコピーしましたか？' })).getByRole(
        'button',
        {
          name: 'このページに留まる',
        },
      ),
    );
    expect(screen.getByText('shown-once')).toBeTruthy();
    await press(app, 'コピーしました、閉じる');
    expect(screen.queryByText('shown-once')).toBeNull();
    await screen.findByRole('rowheader', { name: 'Okta' });

    await press(app, '無効にする: Entra ID');
    const question = await screen.findByRole('dialog', { name: 'トークンを無効にしますか？' });
    await app.user.click(within(question).getByRole('button', { name: '無効にする' }));
    await screen.findByText('トークン「Entra ID」を無効にしました。');
    await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'Entra ID' })).toBeNull());
  });

  it('offers no sixth token', async () => {
    server.use(missing(own), withTokens('1', '2', '3', '4', '5'));
    renderApp('/partner/sso');
    await screen.findByText(/トークンは5個までです/);
    expect(screen.queryByRole('button', { name: 'トークンを作成' })).toBeNull();
  });
});

describe('single sign-on of a company that an administrator looks at', () => {
  const reached = '*/v1/admin/partners/2/sso';
  beforeEach(async () => {
    await signInAdmin();
    server.use(
      http.get('*/v1/admin/partners/2', () => HttpResponse.json(tenantDetail)),
      http.get(`${reached}/sign_ins`, () => HttpResponse.json({ sign_ins: [] })),
      http.get('*/v1/partner/partners/2/groups/3', () =>
        HttpResponse.json({
          id: 3,
          name: 'Sales',
          note: '',
          role: 0,
          user_count: 0,
          file_count: 0,
          created_at: '2026-11-21T00:00:00Z',
          updated_at: '2026-11-21T00:00:00Z',
        }),
      ),
    );
  });

  it('is deleted once that is confirmed', async () => {
    let isDeleted = false;
    server.use(
      http.get(reached, () =>
        isDeleted ? failure('E40401', '見つかりません。') : HttpResponse.json(setting()),
      ),
      http.delete(reached, () => {
        isDeleted = true;
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/admin/partners/sso/?id=2&pn=Sakura');
    await press(app, '設定を削除');
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText(/企業「Sakura」/)).toBeTruthy();
    await app.user.click(within(dialog).getByRole('button', { name: '設定を削除' }));
    await screen.findByText('企業「Sakura」のシングルサインオンの設定を削除しました。');
    await screen.findByRole('heading', { name: 'シングルサインオンはまだ設定されていません' });
    // Tokens are the company's own.
    expect(screen.queryByRole('button', { name: 'トークンを作成' })).toBeNull();
  });

  it('tells that the plan of the company does not have it', async () => {
    server.use(http.get(reached, () => failure('E40304', 'ご契約のプランでは利用できません。')));
    renderApp('/admin/partners/sso/?id=2&pn=Sakura');
    await screen.findByRole('heading', {
      name: 'この企業の契約プランではシングルサインオンを利用できません',
    });
  });
});

describe('the sign-in by single sign-on', () => {
  const withSso = () =>
    server.use(http.get('*/v1/user/login/sso/check', () => HttpResponse.json({ use_sso_flag: true })));

  it('is offered where the company has it, and after a password that was refused', async () => {
    withSso();
    server.use(http.post('*/v2/partner/login', () => failure('E40301', '権限がありません。')));
    const app = renderApp('/partner/login/?partner_code=1000');
    await screen.findByRole('button', { name: 'シングルサインオン（SSO）でログイン' });
    await app.user.type(screen.getByLabelText(/^メールアドレスまたは/), 'taro');
    await app.user.type(screen.getByLabelText(/^パスワード(必須)?$/), 'Passw0rd');
    await press(app, 'ログイン');
    await screen.findByText(/パスワードではログインできないことがあります/);
  });

  it('is not offered to a company without it', async () => {
    renderApp('/partner/login/?partner_code=1000');
    await screen.findByLabelText(/^企業ID/);
    expect(screen.queryByRole('button', { name: /SSO/ })).toBeNull();
  });

  it('ends with the code that comes back, once, and with what proves who began', async () => {
    withSso();
    let sent: unknown;
    server.use(
      http.post('*/v1/user/login/sso/token', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(partnerReply);
      }),
      missing(own),
    );
    sessionStorage.setItem('portal.sso', JSON.stringify({ verifier: 'proof', from: '/partner/sso' }));
    renderApp('/partner/login/?partner_code=1000&code=once');
    await screen.findByRole('heading', { level: 1, name: 'シングルサインオン' });
    expect(sent).toEqual({ code: 'once', code_verifier: 'proof' });
    expect(address()).toBe('/partner/sso');
    expect(sessionStorage.getItem('portal.sso')).toBeNull();
  });

  it.each([
    ['error=E40307', /ライセンスが足りない/],
    ['error=E40037', /IDプロバイダーの応答を確認できませんでした/],
    ['error=nonsense', /もう一度お試しください/],
    // A code that another browser has begun.
    ['code=stolen', /時間がかかりすぎました/],
  ])('tells of %s in words, and keeps it out of the address', async (query, words) => {
    withSso();
    renderApp(`/partner/login/?partner_code=1000&${query}`);
    await screen.findByText(words);
    expect(address()).toBe('/partner/login/?partner_code=1000');
  });
});
