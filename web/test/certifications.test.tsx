import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, onePage, server } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const day = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

const certification = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  certification_file_name: 'app.p12',
  has_api_key: true,
  project_id: 'demo-project',
  has_certificate: true,
  topic: 'com.example.app',
  certificate_expires_at: inDays(200),
  in_use: false,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
  ...more,
});

const apiKey = {
  type: 'service_account',
  project_id: 'demo-project',
  client_email: 'push@demo-project.iam.gserviceaccount.com',
  private_key: 'PRIVATE',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const keyFile = new File([JSON.stringify(apiKey)], 'key.json', { type: 'application/json' });
const p12File = new File(['p12'], 'app.p12');
const read = {
  certificate: 'CERTIFICATE',
  private_key: 'KEY',
  topic: 'com.example.app',
  subject: 'UID=com.example.app',
  certificate_expires_at: inDays(200),
};

const list = '*/v1/partner/partners/7/push_notifications/certifications';
const operators = '*/v1/admin/push_notifications/certifications';
/** As a drop does it: whatever the file is called. */
const choose = (label: string, file: File) =>
  fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } });
const keyLabel = 'サービスアカウントのキー（JSON）';
const p12Label = '証明書ファイル（.p12）';
const press = async ({ user }: RenderedApp, name: string) =>
  user.click(await screen.findByRole('button', { name }));
const nameField = () => screen.findByLabelText(/^証明書名/);

describe('a tenant’s certificates', () => {
  beforeEach(async () => {
    await signInPartner();
    server.use(
      http.get(list, () =>
        HttpResponse.json({
          ...onePage(3),
          certifications: [
            certification(1, 'Main', { in_use: true }),
            certification(2, 'Old', { certificate_expires_at: inDays(-1) }),
            certification(3, 'Ending', { certificate_expires_at: inDays(12) }),
          ],
        }),
      ),
      http.get(`${list}/1`, () => HttpResponse.json(certification(1, 'Main'))),
    );
  });

  it('are listed with what is over, what ends soon and what is in use', async () => {
    renderApp('/partner/certifications');
    const rowOf = async (name: string) =>
      within((await screen.findByRole('rowheader', { name })).closest('tr') as HTMLElement);
    expect((await rowOf('Old')).getByText('期限切れ')).toBeTruthy();
    expect((await rowOf('Ending')).getByText('あと12日')).toBeTruthy();
    expect((await rowOf('Main')).getByText('使用中')).toBeTruthy();
    expect((await rowOf('Main')).queryByText('期限切れ')).toBeNull();
  });

  it('are told of on the first screen when they end soon or have ended', async () => {
    renderApp('/partner/menu');
    expect(await screen.findByText(/プッシュ証明書「Ending」の期限まであと12日です。/)).toBeTruthy();
    expect(screen.getByText(/プッシュ証明書「Old」は期限切れです。/)).toBeTruthy();
    expect(screen.queryByText(/プッシュ証明書「Main」/)).toBeNull();
  });

  it('tells before a deletion that one is in use', async () => {
    const app = renderApp('/partner/certifications');
    await app.user.click(await screen.findByRole('button', { name: '削除: Main' }));
    const dialog = await screen.findByRole('dialog', { name: '使用中のため削除できません' });
    expect(within(dialog).queryByRole('button', { name: /削除/ })).toBeNull();
  });

  it('are created from a key and a .p12 file that the server reads', async () => {
    let sent: unknown;
    let opened: unknown;
    server.use(
      http.post('*/v1/pem', async ({ request }) => {
        opened = await request.json();
        return HttpResponse.json(read);
      }),
      http.post(list, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ id: 9 }, { status: 201 });
      }),
    );
    const app = renderApp('/partner/certifications/create');
    await app.user.type(await nameField(), 'Main');
    choose(keyLabel, keyFile);
    choose(p12Label, p12File);
    await app.user.type(await screen.findByLabelText(/^p12ファイルのパスワード/), 'secret');
    await press(app, '証明書を読み込む');
    expect(await screen.findByText('UID=com.example.app')).toBeTruthy();
    expect(opened).toEqual({ p12: btoa('p12'), password: 'secret' });
    await press(app, '確認へ進む');
    await waitFor(() => expect(address()).toBe('/partner/certifications/confirm'));
    // Neither the keys nor the password are stored.
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/KEY|PRIVATE|secret/);
    await press(app, '作成する');
    expect(await screen.findByText('証明書「Main」を登録しました。')).toBeTruthy();
    expect(sent).toEqual({
      name: 'Main',
      api_key: JSON.stringify(apiKey),
      certification_file_name: 'app.p12',
      certificate: 'CERTIFICATE',
      private_key: 'KEY',
    });
  });

  it('are created after a reload too, once the file is chosen again', async () => {
    const app = renderApp('/partner/certifications/create');
    await app.user.type(await nameField(), 'Field');
    choose(keyLabel, keyFile);
    const again = app.reload();
    expect(await nameField()).toHaveProperty('value', 'Field');
    choose(keyLabel, keyFile);
    await press(again, '確認へ進む');
    await screen.findByRole('button', { name: '作成する' });
  });

  it('need a certificate or a key, a .p12 file and a key that is one', async () => {
    const app = renderApp('/partner/certifications/create');
    await app.user.type(await nameField(), 'Main');
    await press(app, '確認へ進む');
    const summary = await screen.findByRole('alert');
    expect(summary.textContent).toContain(`${p12Label}: 証明書ファイルまたはAPIキーを指定してください。`);
    choose(p12Label, new File(['x'], 'app.pem'));
    expect(
      (await screen.findAllByText(/ファイルが正しくありません。.p12ファイルを指定してください。/)).length,
    ).toBeGreaterThan(0);
    choose(keyLabel, new File(['{}'], 'key.json'));
    expect(
      (await screen.findAllByText(/サービスアカウントのキー（JSON）を指定してください。/)).length,
    ).toBeGreaterThan(0);
    expect(address()).toBe('/partner/certifications/create');
  });

  it('show a wrong password of the .p12 file at its field', async () => {
    server.use(
      http.post('*/v1/pem', () =>
        failure('E40002', '入力値が正しくありません。', [
          { field: 'password', message: 'p12ファイルのパスワードが正しくありません。' },
        ]),
      ),
    );
    const app = renderApp('/partner/certifications/create');
    await app.user.type(await nameField(), 'Main');
    choose(p12Label, p12File);
    await press(app, '確認へ進む');
    const field = await screen.findByLabelText(/^p12ファイルのパスワード/);
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(address()).toBe('/partner/certifications/create');
  });

  it('lose their iOS part on the edit screen', async () => {
    let sent: unknown;
    server.use(
      http.put(`${list}/1`, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/certifications/edit/?id=1&pn=Sakura');
    await app.user.click(await screen.findByLabelText('iOSの証明書を削除する'));
    await press(app, '確認へ進む');
    await screen.findByText('削除する', { selector: 'dd' });
    await press(app, '保存する');
    expect(await screen.findByText('証明書「Main」を更新しました。')).toBeTruthy();
    expect(sent).toEqual({ certificate_delete_flag: true });
  });

  it('cannot lose both parts', async () => {
    const app = renderApp('/partner/certifications/edit/?id=1&pn=Sakura');
    await app.user.click(await screen.findByLabelText('iOSの証明書を削除する'));
    await app.user.click(await screen.findByLabelText('Androidのキーを削除する'));
    await press(app, '確認へ進む');
    expect((await screen.findByRole('alert')).textContent).toContain(
      '証明書ファイルまたはAPIキーを指定してください。',
    );
  });

  it('goes back to the form when it is gone meanwhile', async () => {
    const app = renderApp('/partner/certifications/edit/?id=1&pn=Sakura');
    await app.user.type(await nameField(), ' 2');
    server.use(http.put(`${list}/1`, () => failure('E40401', '対象が見つかりません。')));
    await press(app, '確認へ進む');
    await app.user.click(await screen.findByRole('button', { name: '保存する' }));
    expect(await screen.findByText('対象が見つかりません。')).toBeTruthy();
    expect(address()).toBe('/partner/certifications/edit/?id=1&pn=Sakura');
  });
});

describe('the operator’s certificate', () => {
  beforeEach(async () => {
    await signInAdmin();
  });

  it('is offered to be added while there is none, and then shown', async () => {
    let made = false;
    server.use(
      http.get(operators, () =>
        made
          ? HttpResponse.json(certification(1, '', { has_certificate: false, topic: null }))
          : failure('E40401', '対象が見つかりません。'),
      ),
      http.post(operators, async ({ request }) => {
        expect(await request.json()).toEqual({ api_key: JSON.stringify(apiKey) });
        made = true;
        return HttpResponse.json({ id: 1 }, { status: 201 });
      }),
    );
    const app = renderApp('/admin/certification');
    await app.user.click(await screen.findByRole('link', { name: '証明書を登録' }));
    await screen.findByLabelText(keyLabel);
    choose(keyLabel, keyFile);
    await press(app, '確認へ進む');
    await app.user.click(await screen.findByRole('button', { name: '作成する' }));
    expect(await screen.findByText('運営のプッシュ証明書を登録しました。')).toBeTruthy();
    expect(address()).toBe('/admin/certification/complete');
    await app.user.click(screen.getByRole('link', { name: '証明書を見る' }));
    expect(await screen.findByText('プロジェクト demo-project')).toBeTruthy();
  });

  it('is told of on the first screen when it ends soon, to who may change it', async () => {
    server.use(
      http.get(operators, () =>
        HttpResponse.json(certification(1, '', { certificate_expires_at: inDays(12) })),
      ),
    );
    renderApp('/admin/menu');
    const told = await screen.findByText(/運営のプッシュ証明書の期限まであと12日です。/);
    expect(within(told).getByRole('link').getAttribute('href')).toBe('/admin/certification');
  });

  it('is no matter of an administrator of a unit', async () => {
    await signInAdmin(true);
    let asked = false;
    server.use(
      http.get(operators, () => {
        asked = true;
        return HttpResponse.json(certification(1, '', { certificate_expires_at: inDays(12) }));
      }),
    );
    renderApp('/admin/menu');
    await screen.findByRole('heading', { level: 1 });
    expect(asked).toBe(false);
    expect(screen.queryByText(/運営のプッシュ証明書/)).toBeNull();
  });

  it('is changed through a confirmation, and cancelling leads home', async () => {
    let sent: unknown;
    server.use(
      http.get(operators, () => HttpResponse.json(certification(1, ''))),
      http.put(operators, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/admin/certification/edit');
    await app.user.click(await screen.findByLabelText('Androidのキーを削除する'));
    expect(screen.getByRole('link', { name: 'キャンセル' }).getAttribute('href')).toBe('/admin/menu');
    await press(app, '確認へ進む');
    await waitFor(() => expect(address()).toBe('/admin/certification/edit/confirm'));
    await app.user.click(await screen.findByRole('button', { name: '保存する' }));
    expect(await screen.findByText('運営のプッシュ証明書を更新しました。')).toBeTruthy();
    expect(sent).toEqual({ api_key: null });
  });
});
