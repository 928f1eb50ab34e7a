import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, notification, onePage, server, user } from './server.ts';
import { signInPartner } from './sign-in.ts';

const list = '*/v1/partner/partners/7/push_notifications';
const press = async ({ user: person }: RenderedApp, name: string) =>
  person.click(await screen.findByRole('button', { name }));
const choose = async ({ user: person }: RenderedApp, name: string) =>
  person.click(await screen.findByRole('radio', { name }));
const messageField = () => screen.findByLabelText(/^メッセージ/);
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

beforeEach(async () => {
  await signInPartner();
  server.use(
    http.get(`${list}/certifications`, () => HttpResponse.json({ certifications: [{ id: 5, name: 'Own' }] })),
    http.post(`${list}/audience`, () =>
      HttpResponse.json({ users: 12, people: 1234, devices: 2345, sends: true }),
    ),
  );
});

describe('creating a notification', () => {
  it('counts the bytes that are left as the server does, and shows what a phone will show', async () => {
    renderApp('/partner/push-notifications/create');
    type(await messageField(), 'こんにちは abc');
    // Ten bytes, a blank and three more of 235.
    expect(await screen.findByText('あと半角221文字（全角110文字）入力できます。')).toBeTruthy();
    const phone = screen.getByRole('figure', { name: 'スマートフォンでの表示例' });
    expect(within(phone).getByText('こんにちは abc')).toBeTruthy();
    type(await messageField(), 'あ'.repeat(118));
    expect(await screen.findByText('半角1文字分、長すぎます。')).toBeTruthy();
  });

  it('tells each rule at its field', async () => {
    const app = renderApp('/partner/push-notifications/create');
    type(await messageField(), 'あ'.repeat(118));
    type(screen.getByLabelText(/^JSON/), '{no');
    type(screen.getByLabelText(/^タイトル/), 'あ'.repeat(31));
    await choose(app, '日時を指定して配信');
    await choose(app, 'グループ');
    await press(app, '確認へ進む');
    const summary = await screen.findByRole('alert');
    for (const line of [
      'タイトル: 全角30文字（半角61文字）以内で入力してください。',
      'メッセージ: 全角117文字（半角235文字）以内で入力してください。',
      'JSON: JSON形式で入力してください。',
      '配信日時: 配信日時を入力してください。',
      'グループ: グループを選択してください。',
    ])
      expect(summary.textContent).toContain(line);
    await choose(app, 'ユーザーを選択');
    type(screen.getByLabelText(/^配信日時/), '2020-01-01T00:00');
    await press(app, '確認へ進む');
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toContain('ユーザー: ユーザーを選択してください。'),
    );
    expect(screen.getByRole('alert').textContent).toContain(
      '配信日時: 配信予約日時に過去の日時は指定できません。',
    );
    expect(address()).toBe('/partner/push-notifications/create');
  });

  it('confirms with the people and devices that it reaches, and sends to a group', async () => {
    let sent: unknown;
    let counted: unknown;
    server.use(
      http.post(`${list}/audience`, async ({ request }) => {
        counted = await request.json();
        return HttpResponse.json({ users: 2000, people: 1234, devices: 2345, sends: true });
      }),
      http.post(list, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ id: 9 }, { status: 201 });
      }),
    );
    const app = renderApp('/partner/push-notifications/create');
    type(await messageField(), 'Hello');
    await choose(app, 'グループ');
    await app.user.selectOptions(
      await screen.findByRole('combobox', { name: /^グループ/ }),
      await screen.findByRole('option', { name: /Sales/ }),
    );
    await choose(app, 'Own');
    await press(app, '確認へ進む');
    expect(
      await screen.findByText('対象のユーザー2,000人のうち1,234人、端末2,345台に届きます。'),
    ).toBeTruthy();
    expect(counted).toEqual({ group_id: 3, user_ids: null });
    await press(app, '作成する');
    expect(await screen.findByText('プッシュ通知「Hello」を作成しました。')).toBeTruthy();
    expect(address()).toBe('/partner/push-notifications/complete');
    expect(sent).toEqual({
      title: '',
      message: 'Hello',
      certification_id: 5,
      json: '',
      deliver_datetime: null,
      group_id: 3,
      user_ids: null,
    });
  });

  it('chooses users on a page of their own, which keeps the form', async () => {
    let sent: { user_ids?: unknown } = {};
    server.use(
      http.get('*/v1/partner/partners/7/users', () =>
        HttpResponse.json({ ...onePage(2), users: [user(11, 'Taro'), user(12, 'Jiro')] }),
      ),
      http.post(list, async ({ request }) => {
        sent = (await request.json()) as typeof sent;
        return HttpResponse.json({ id: 9 }, { status: 201 });
      }),
    );
    const app = renderApp('/partner/push-notifications/create');
    type(await messageField(), 'Hello');
    await choose(app, 'ユーザーを選択');
    await press(app, 'ユーザーを選ぶ');
    await press(app, '配信先に追加: Taro');
    expect((await screen.findAllByText('1人を選択中（1,000人まで）')).length).toBeGreaterThan(0);
    expect(address()).toBe('/partner/push-notifications/users');
    await press(app, '配信先に追加: Jiro');
    await press(app, '配信先から外す: Taro');
    await app.user.click(screen.getByRole('link', { name: '選択を終える' }));
    expect(await messageField()).toHaveProperty('value', 'Hello');
    expect(screen.getByText('user12@example.com')).toBeTruthy();
    await press(app, '確認へ進む');
    await press(app, '作成する');
    await screen.findByText('プッシュ通知「Hello」を作成しました。');
    expect(sent.user_ids).toEqual([12]);
  });

  it('leads from the choice of users to the form where none was begun', async () => {
    renderApp('/partner/push-notifications/users');
    await waitFor(() => expect(address()).toBe('/partner/push-notifications/create'));
  });

  it('comes back with what the server refused', async () => {
    server.use(http.post(list, () => failure('E40030', '証明書ファイルまたはAPIキーを指定してください。')));
    const app = renderApp('/partner/push-notifications/create');
    type(await messageField(), 'Hello');
    await press(app, '確認へ進む');
    await press(app, '作成する');
    expect((await screen.findByRole('alert')).textContent).toContain(
      '証明書ファイルまたはAPIキーを指定してください。',
    );
    expect(await messageField()).toHaveProperty('value', 'Hello');
  });
});

describe('a notification that waits', () => {
  it('is edited with what it has, and sent to everyone at once instead', async () => {
    let sent: unknown;
    server.use(
      http.get(`${list}/1`, () =>
        HttpResponse.json(
          notification(1, {
            deliver_datetime: '2099-01-01T00:00:00Z',
            group_id: 3,
            groups: [{ id: 3, name: 'Sales' }],
          }),
        ),
      ),
      http.put(`${list}/1`, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/push-notifications/edit/?id=1&pn=Sakura');
    expect(await screen.findByRole('radio', { name: '日時を指定して配信' })).toHaveProperty('checked', true);
    expect(screen.getByRole('radio', { name: 'グループ' })).toHaveProperty('checked', true);
    await choose(app, '今すぐ配信');
    await choose(app, '全員');
    await press(app, '確認へ進む');
    await press(app, '保存する');
    expect(await screen.findByText('プッシュ通知「Title 1」を更新しました。')).toBeTruthy();
    expect(sent).toEqual({ deliver_datetime: null, group_id: null });
  });

  it('keeps the certificate that it waits with where the contract has none any more, or changes it', async () => {
    await signInPartner({ contractRank: 'standard' });
    let sent: unknown;
    server.use(
      http.get(`${list}/1`, () =>
        HttpResponse.json(notification(1, { certification_id: 5, deliver_datetime: '2099-01-01T00:00:00Z' })),
      ),
      http.put(`${list}/1`, async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/push-notifications/edit/?id=1&pn=Sakura');
    expect(await screen.findByRole('radio', { name: '設定済みの証明書（ID: 5）' })).toHaveProperty(
      'checked',
      true,
    );
    await choose(app, '標準の証明書');
    await press(app, '確認へ進む');
    await press(app, '保存する');
    await screen.findByText('プッシュ通知「Title 1」を更新しました。');
    expect(sent).toMatchObject({ certification_id: 0 });
  });
});

describe('the list', () => {
  it('filters by state, and offers changes of those alone that wait', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(list, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('status'));
        return HttpResponse.json({
          ...onePage(2),
          push_notifications: [
            notification(1),
            notification(2, { status: 'failure', target_count: 4, success_count: 0, failure_count: 4 }),
          ],
        });
      }),
    );
    const app = renderApp('/partner/push-notifications');
    expect(await screen.findByText('成功 0・失敗 4 / 4台')).toBeTruthy();
    expect(screen.getByRole('button', { name: '削除: Title 1' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '削除: Title 2' })).toBeNull();
    expect(screen.queryByRole('link', { name: '編集: Title 2' })).toBeNull();
    await app.user.click(screen.getByRole('button', { name: '未配信' }));
    await waitFor(() => expect(asked).toContain('waiting'));
    expect(address()).toBe('/partner/push-notifications?status=waiting');
  });
});

describe('the page of a notification', () => {
  it('moves by itself while it is delivered, and tells why devices did not get it', async () => {
    let looks = 0;
    server.use(
      http.get(`${list}/1`, () => {
        looks += 1;
        const counts = { target_count: 10, success_count: looks, failure_count: 0 };
        return HttpResponse.json(
          looks < 3
            ? notification(1, { status: 'delivering', ...counts })
            : notification(1, {
                status: 'success',
                target_count: 10,
                success_count: 8,
                failure_count: 2,
                failure_reasons: [{ reason: 'BadDeviceToken', count: 2 }],
              }),
        );
      }),
    );
    renderApp('/partner/push-notifications/detail/?id=1&pn=Sakura');
    expect(await screen.findByRole('progressbar', { name: '配信中' })).toBeTruthy();
    expect(
      await screen.findByText(/アプリが削除されたか、通知の宛先が無効になっています。（2台）/, undefined, {
        timeout: 5000,
      }),
    ).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.queryByRole('link', { name: '編集' })).toBeNull();
  });
});
