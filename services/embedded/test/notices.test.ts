import {
  demoPassword,
  importSettled,
  importUsers,
  send,
  signInAdmin,
  signIn as signInPortal,
  uploadFile,
} from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** The mails that people get about their accounts and files, from the call to the mailbox. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.remove());

interface Mail {
  subject: string;
  text: string;
  html: string;
}
const mailsTo = async (address: string): Promise<Mail[]> => {
  const { body } = await send(product, 'GET', `/dev/mailbox?to=${address}`);
  return body['mails'] as Mail[];
};
/** The newest, once there are so many. */
const mail = async (address: string, count: number): Promise<Mail> =>
  vi.waitFor(
    async () => {
      const mails = await mailsTo(address);
      expect(mails).toHaveLength(count);
      return mails[0] as Mail;
    },
    { timeout: 10_000, interval: 50 },
  );

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';

async function signIn(path: string, login: object, agent: string): Promise<string> {
  const reply = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent, 'accept-language': 'en' },
    body: JSON.stringify({ password: demoPassword, ...login }),
  });
  expect(reply.status).toBe(200);
  return String(((await reply.json()) as { access_token: string }).access_token);
}
const asAdmin = async (agent: string) => signIn('/v1/admin/login', { email: 'unit@example.com' }, agent);
const asCompanyAdmin = async (agent: string) =>
  signIn('/v2/partner/login', { partner_code: '2000', email: 'second@example.com' }, agent);

test('When administrators sign in from another device, then they get a mail, and none of the first', async () => {
  await asAdmin(windows);
  await asAdmin(mac);
  const told = await mail('unit@example.com', 1);
  expect(told.subject).toBe('[Haishin Portal] New sign-in to your account');
  expect(told.text).toContain('Device: Safari, macOS\nIP address: 127.0.0.1');
  await asAdmin(windows);

  await asCompanyAdmin(windows);
  await asCompanyAdmin(mac);
  const inTheirs = await mail('second@example.com', 1);
  expect(inTheirs.subject).toBe('[Second Company] 新しい端末からのログイン');
  expect(inTheirs.text).toContain('端末: Safari, macOS');
  for (const { html, text } of [told, inTheirs]) expect(text + html).not.toContain('http');
  expect(await mailsTo('unit@example.com')).toHaveLength(1);
});

test('When passwords are changed, by whomever, then their owners get a mail without a link', async () => {
  const token = await asCompanyAdmin(windows);
  const before = (await mailsTo('second@example.com')).length;
  const changed = await send(product, 'PUT', '/v1/partner/password', {
    token,
    body: { current_password: demoPassword, password: 'Another-demo-1' },
  });
  expect(changed.status).toBe(200);
  const own = await mail('second@example.com', before + 1);
  expect(own.subject).toBe('[Second Company] パスワードが変更されました');
  expect(own.text + own.html).not.toContain('http');

  const admins = '/v1/partner/partners/2/admins';
  const admin = { name: 'See https://evil.example', email: 'other@example.com', password: demoPassword };
  const made = await send(product, 'POST', admins, { token, body: admin });
  const path = `${admins}/${String(made.body['id'])}`;
  expect((await send(product, 'PUT', path, { token, body: { password: 'Another-demo-1' } })).status).toBe(
    200,
  );
  const given = await mail('other@example.com', 1);
  expect(given.text).toContain('See https: / / evil. example 様');
  expect(given.text + given.html).not.toMatch(/https?:\/\//);
});

test('When limits are off, then reset mails are not rationed', async () => {
  const body = { email: 'hanako@example.com', partner_code: '1000' };
  for (let i = 0; i < 5; i++) await send(product, 'POST', '/v1/user/password/reset_mail', { body });
  expect((await mail('hanako@example.com', 5)).text).toContain('/user/password/reset?reset_token=');
});

test('When many try wrong current passwords of one account, then others sign in, and surplus tries get 503', async () => {
  const token = await signIn(
    '/v2/partner/login',
    { partner_code: '3000', email: 'entry@example.com' },
    windows,
  );
  // Far more than may wait, also where a loaded machine has them arrive slowly.
  const tries = 300;
  const guesses = Array.from({ length: tries }, async (_, i) =>
    fetch(`${product.url}/v1/partner/password`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ current_password: `Wrong-12${i}`, password: 'Another-demo-1' }),
    }),
  );
  await asAdmin(windows);
  const replies = await Promise.all(guesses);
  const busy = replies.filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.length + replies.filter(({ status }) => status === 400).length).toBe(tries);
  for (const reply of busy) {
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await reply.json()).toMatchObject({ code: 'E50301' });
  }
});

test('When a file is assigned with a mail, then its people get one when it is delivered, and only once', async () => {
  const token = await signInPortal(product, '1000', 'partner@example.com');
  const path = '/v1/partner/partners/1';
  const group = await send(product, 'POST', `${path}/groups`, { token, body: { name: 'Told by mail' } });
  const address = 'told-by-mail@example.com';
  const reader = { name: 'Reader', email: address, group_ids: [group.body['id']] };
  expect((await send(product, 'POST', `${path}/users`, { token, body: reader })).status).toBe(201);
  await mail(address, 1);

  const file = { partnerId: 1, name: 'Autumn tour', fileName: 'told.uap', content: Buffer.from('bytes') };
  const id = await uploadFile(product, token, file);
  const assign = async (body: object) =>
    send(product, 'PUT', `${path}/files/${id}/groups`, {
      token,
      body: { group_ids: [group.body['id']], ...body },
    });
  // Without the flag there is no mail; with it, also for a file that was delivered before.
  expect((await assign({})).status).toBe(200);
  expect((await assign({ notify_email: true })).status).toBe(200);
  const told = await mail(address, 2);
  expect(told.subject).toBe('[Demo Corporation] 新しいファイルが届きました');
  expect(told.text).toContain('Reader 様');
  expect(told.text).toContain('ファイル: Autumn tour');

  expect((await assign({ notify_email: true })).status).toBe(200);
  // A mail that is asked for later has overtaken none.
  await send(product, 'POST', '/v1/user/password/reset_mail', {
    body: { email: address, partner_code: '1000' },
  });
  expect((await mail(address, 3)).subject).not.toContain('ファイル');
});

test('When users are imported, then they get a mail to choose a password, unless it is left out; then it can be sent later', async () => {
  const token = await signInPortal(product, '1000', 'partner@example.com');
  const path = '/v1/partner/partners/1/users';
  async function imported(name: string, confirmation: object): Promise<void> {
    const lines = [`${name},${name}@example.com,,,,,0`];
    const id = await importUsers(product, token, { partnerId: 1, lines, preview: true });
    const body = { batch_process_id: id, ...confirmation };
    expect((await send(product, 'POST', `${path}/csv/apply`, { token, body })).status).toBe(200);
    await importSettled(product, token, { partnerId: 1, id });
  }

  await imported('unmailed', { send_mails: false });
  await imported('mailed', {});
  expect((await mail('mailed@example.com', 1)).text).toContain('reset_token=');
  // Whoever was imported before would have been mailed before.
  expect(await mailsTo('unmailed@example.com')).toEqual([]);

  const { body: found } = await send(product, 'GET', `${path}?q=unmailed`, { token });
  const [{ id } = { id: 0 }] = found['users'] as { id: number }[];
  const sent = await send(product, 'POST', `${path}/setup_mails`, { token, body: { ids: [id] } });
  expect(sent.body).toEqual({ count: 1, skipped: 0 });
  expect((await mail('unmailed@example.com', 1)).text).toContain('reset_token=');
});

test.each([
  [
    'ja',
    '段階配信が停止しました',
    ['停止の理由: 失敗の上限に達したため', '報告: 1台（うち失敗 1台）'],
    '停止の理由: 管理者の操作',
  ],
  [
    'en',
    'A rollout was halted',
    ['Halted by: the limit of its failures', 'Reports: 1 device, 1 failed'],
    'Halted by: an administrator',
  ],
])(
  'When stages halt, by their limit and by hand, then each company admin gets one mail and one notice (%s)',
  async (lang, subject, byLimit, byHand) => {
    const code = `halting-${lang}`;
    const administrator = await signInAdmin(product);
    const company = {
      name: code,
      partner_code: code,
      unit_id: 1,
      contract_rank: 'standard',
      license_count: 3,
    };
    const made = await send(product, 'POST', '/v1/admin/partners', {
      token: administrator,
      body: { ...company, lang },
    });
    const pid = Number(made.body['id']);
    const path = `/v1/partner/partners/${pid}`;
    const admins = ['first', 'second'].map((name) => `${name}@${code}.example`);
    for (const email of admins) {
      const body = { name: email, email, password: demoPassword };
      const add = async () =>
        send(product, 'POST', `/v1/admin/partners/${pid}/admins`, { token: administrator, body });
      await vi.waitFor(async () => expect((await add()).status).toBe(201), { timeout: 10_000 });
    }
    const tokens = await Promise.all(admins.map(async (email) => signInPortal(product, code, email)));
    const [token] = tokens;
    const group = await send(product, 'POST', `${path}/groups`, { token, body: { name: 'Sales' } });
    const reader = {
      name: 'Reader',
      login_user_id: 'reader',
      password: demoPassword,
      group_ids: [group.body['id']],
    };
    expect((await send(product, 'POST', `${path}/users`, { token, body: reader })).status).toBe(201);
    const file = { partnerId: pid, name: 'Tour', fileName: 'tour.uap', content: Buffer.from('bytes') };
    const id = await uploadFile(product, token ?? '', file);
    const rollout = { stages: [{ percent: 100 }], halt: { failure_percent: 1, min_reports: 1 } };
    const groups = { group_ids: [group.body['id']], rollout };
    expect((await send(product, 'PUT', `${path}/files/${id}/groups`, { token, body: groups })).status).toBe(
      200,
    );

    /** What each of the admins was told, newest first. */
    const told = async (count: number) =>
      Promise.all(
        admins.map(async (email, index) =>
          vi.waitFor(
            async () => {
              const mails = (await mailsTo(email)).filter((one) => one.subject === `[${code}] ${subject}`);
              const { body } = await send(product, 'GET', '/v1/partner/notices', { token: tokens[index] });
              const notices = (body['notices'] as { kind: string; data: { byHand: boolean } }[]).filter(
                ({ kind }) => kind === 'rollout_halted',
              );
              expect([mails.length, notices.length]).toEqual([count, count]);
              return { text: mails[0]?.text ?? '', data: notices[0]?.data };
            },
            { timeout: 20_000, interval: 50 },
          ),
        ),
      );
    const player = await signInPortal(product, code, 'reader', `device-${lang}`);
    const failed = { version: 1, status: 'failed', at: new Date().toISOString().replace(/\.\d+Z$/, 'Z') };
    const receipt = await send(product, 'PUT', `/v1/user/files/${id}/receipt`, {
      token: player,
      body: failed,
    });
    expect(receipt.status).toBe(200);
    for (const { data, text } of await told(1)) {
      for (const words of byLimit) expect(text).toContain(words);
      expect(data).toEqual({ fileId: id, name: 'Tour', version: 1, reports: 1, failures: 1, byHand: false });
    }
    const act = async (action: string) =>
      send(product, 'POST', `${path}/files/${id}/rollout/${action}`, { token, body: {} });
    expect((await act('resume')).status).toBe(200);
    expect((await act('halt')).status).toBe(200);
    expect((await act('halt')).status).toBe(400);
    for (const { data, text } of await told(2)) {
      expect(text).toContain(byHand);
      expect(data).toMatchObject({ reports: 0, failures: 0, byHand: true });
    }
  },
);
