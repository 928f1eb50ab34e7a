import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeCompany } from '@portal/example-player/fleet/company.ts';
import { startFleet } from '@portal/example-player/fleet/fleet.ts';
import { demoPassword, send, signIn, signInAdmin, uploadFile } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from './support/browser.ts';
import { settled } from './support/check-page.ts';
import { quietnessOf } from './support/network.ts';
import { signInPartner } from './support/people.ts';
import { texts } from './support/texts.ts';

/**
 * Takes the pictures of the README and of docs/tour.md from the real product with its demo data: `node e2e/screenshots.ts`, with
 * the web client built; with names, only these. They look the same on every machine, because the fonts are their own.
 */

const folder = join(import.meta.dirname, '..', 'docs', 'images');
const mostBytes = 250_000;
const fleetCode = 'tour';

/** What each picture shows, by its name. The page stands where it is to be taken. */
const pictures: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async home(page) {
    await page.goto('/partner/menu');
    await page.locator('main h2').first().waitFor();
  },
  async files(page) {
    await page.goto('/partner/files');
    await page.locator('tbody th').first().waitFor();
  },
  async file(page) {
    await page.goto('/partner/files');
    await page.locator('tbody th a').first().click();
    await page.locator('main dl').first().waitFor();
  },
  async import(page) {
    await page.goto('/partner/users/csv');
    const rows = [
      'name,email,login_user_id,password,json,group_ids,delete_flag',
      ...['佐藤 葵', '鈴木 蓮', '高橋 結衣', '田中 湊', '伊藤 陽菜'].map(
        (name, index) => `${name},new-${index}@example.com,,,,,0`,
      ),
      '花子,hanako@example.com,,,,,0',
      ',,jiro,,,,1',
      '',
    ];
    const file = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: texts.ja.ui.toConfirm }).click();
    await page.getByText(texts.ja.userImport.confirmLead).waitFor();
  },
  async push(page) {
    const { message, pushTitle } = texts.ja.pushNotifications;
    // The confirmation of the import asks before it is left.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto('/partner/push-notifications/create');
    await page.getByRole('textbox', { name: pushTitle }).fill('新しいカタログ');
    await page
      .getByRole('textbox', { name: message })
      .fill('秋のカタログを配信しました。アプリでご覧ください。');
  },
  async sso(page) {
    await page.goto('/partner/sso');
    await page.getByRole('tab', { name: texts.ja.ssoGuide.okta.name }).click();
    await page.getByRole('heading', { name: texts.ja.sso.values }).scrollIntoViewIfNeeded();
    await page.evaluate(() => document.querySelector('[role=tablist]')?.scrollIntoView({ block: 'center' }));
  },
  async calendar(page) {
    await page.goto('/partner/calendar');
    await page.locator('main [draggable=true]').first().waitFor();
  },
  async documents(page) {
    await page.goto('/collections?name=orders');
    await page.locator('tbody th, tbody td').first().waitFor();
  },
  // The last one: another company is signed in from then on.
  async halted(page) {
    const { admin, fileId } = await haltDelivery(product);
    await page.context().clearCookies();
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await signInPartner(page, admin, { code: fleetCode });
    await page.goto(`/partner/files/detail/?id=${fileId}&pn=Fleet`);
    const section = page.getByRole('region', { name: texts.ja.rollout.title });
    await section.getByText(texts.ja.rollout.states.halted).waitFor();
    await section.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  },
};

const named = process.argv.slice(2);
const wanted = Object.entries(pictures).filter(([name]) => named.length === 0 || named.includes(name));

const [product, browser] = await Promise.all([startProduct({ LOG_LEVEL: 'warn' }), launchBrowser()]);
try {
  await mkdir(folder, { recursive: true });
  await keepOrders(product);
  if (wanted.some(([name]) => name === 'calendar')) await planDeliveries(product);
  const { page } = await openPage(browser, product.url, { width: 1280, height: 800 });
  const isQuiet = quietnessOf(page);
  await signInPartner(page);
  for (const [name, show] of wanted) {
    await show(page);
    await loadFonts(page);
    // What comes a moment after the page itself.
    await isQuiet();
    await settled(page);
    const path = join(folder, `${name}.png`);
    const { length } = await page.screenshot({ path, animations: 'disabled' });
    if (length > mostBytes) throw new Error(`${path} has ${length} bytes, more than ${mostBytes}`);
    console.log(`${path}: ${length} bytes`);
  }
} finally {
  await browser.close();
  await product.remove();
}

/** A document database for the demo company, with some orders. */
async function keepOrders(at: Product): Promise<void> {
  const made = await send(at, 'POST', '/api/v2/admin/databases/1', {
    token: await signInAdmin(at),
    body: { contract_status: 2, expire_date: '2030-03-31T15:00:00Z' },
  });
  const headers = { 'x-api-key': String(made.body['apiKey']) };
  const collections = `/api/v2/${String(made.body['db'])}/collection`;
  for (const name of ['customers', 'orders', 'stores'])
    await send(at, 'POST', collections, { headers, body: { name } });
  const customers = ['佐藤商店', '鈴木製作所', '高橋デザイン', '田中農園', '伊藤書店'];
  for (const [index, customer] of [...customers, ...customers].entries()) {
    const reply = await send(at, 'POST', `${collections}/orders/documents`, {
      headers,
      body: {
        _id: `order-${1_001 + index}`,
        customer,
        status: ['paid', 'open', 'sent'][index % 3],
        total: 1_200 + 340 * index,
        items: [{ sku: `S-${index}`, count: 1 + (index % 4) }],
        express: index % 4 === 0,
      },
    });
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  }
}

/** A fleet of players gets a version that many of its devices cannot install, in stages: it halts by itself. */
async function haltDelivery(at: Product): Promise<{ admin: string; fileId: number }> {
  const devices = 60;
  const company = await makeCompany({
    url: at.url,
    administrator: { email: 'admin@example.com', password: demoPassword },
    code: fleetCode,
    password: demoPassword,
    devices,
    tell: () => undefined,
  });
  const [admin = ''] = company.admins;
  const token = await signIn(at, fleetCode, admin);
  const path = `/v1/partner/partners/${company.id}/files`;
  const file = { partnerId: company.id, name: '店舗ガイド', fileName: 'guide.uap' };
  const fileId = await uploadFile(at, token, { ...file, content: Buffer.from('the guide') });
  await send(at, 'PUT', `${path}/${fileId}/groups`, { token, body: { group_ids: [0] } });
  const speed = { pollMs: 1_000, installMs: 50, fail: 0, offline: 0 };
  const fleet = startFleet(company, { url: at.url, devices, ...speed });
  try {
    const numbers = async () => {
      const { body } = await send(at, 'GET', `${path}/${fileId}/delivery`, { token });
      return body['states'] as Record<string, number>;
    };
    await until(async () => (await numbers())['installed'] === devices);
    // Half of the devices cannot install it.
    const bytes = 'fail 0.5\n and nothing that could be unpacked';
    const stages = [{ percent: 30 }, { percent: 60, after: 'P1D' }, { percent: 100, after: 'P1D' }];
    const rollout = { stages, halt: { failure_percent: 20, min_reports: 5 } };
    const body = {
      file_name: 'guide.uap',
      file_size: bytes.length,
      version_note: '起動画面を新しくしました。',
    };
    const opened = await send(at, 'PUT', `${path}/${fileId}`, { token, body: { ...body, rollout } });
    await fetch(String(opened.body['signedUrl']), { method: 'PUT', body: bytes });
    const { uploadId } = opened.body;
    await send(at, 'POST', `/v1/uploads/${String(uploadId)}/complete`, { token, body: {} });
    await until(async () => {
      const reply = await send(at, 'GET', `${path}/${fileId}/rollout`, { token });
      return reply.body['state'] === 'halted';
    });
  } finally {
    await fleet.stop();
  }
  return { admin, fileId };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 240_000; !(await isSo()); await sleep(500)) {
    if (Date.now() > deadline) throw new Error('The fleet takes too long');
  }
}

/** What the demo company has planned for this month: before and after today, as the month has it. */
async function planDeliveries(at: Product): Promise<void> {
  const token = await signIn(at, '1000', 'partner@example.com');
  const own = '/v1/partner/partners/1';
  const ask = async (method: string, path: string, body: object) => {
    const reply = await send(at, method, own + path, { token, body });
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  };
  const inDays = (days: number, hour: string) =>
    `${new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)}T${hour}:00Z`;
  const planned = [
    ['冬の新商品カタログ', 1, '01:00'],
    ['店頭デモアプリ', 1, '05:30'],
    ['接客マニュアル', 2, '00:00'],
    ['キャンペーン動画', 4, '03:00'],
  ] as const;
  for (const [index, [name, days, hour]] of planned.entries()) {
    const fileName = `planned-${index}.uap`;
    const content = Buffer.from(name);
    const id = await uploadFile(at, token, { partnerId: 1, name, fileName, content });
    await ask('PUT', `/files/${id}`, { deliver_reservation_at: inDays(days, hour) });
    await ask('PUT', `/files/${id}/groups`, { group_ids: [0] });
  }
  for (const [title, days] of [
    ['カタログ公開のお知らせ', 1],
    ['週末キャンペーン', 3],
  ] as const) {
    const body = { title, message: title, deliver_datetime: inDays(days, '02:00') };
    await ask('POST', '/push_notifications', body);
  }
}

async function loadFonts(page: Page): Promise<void> {
  const family = dirname(fileURLToPath(import.meta.resolve('@fontsource/noto-sans-jp/package.json')));
  for (const weight of ['400', '700']) {
    for (const subset of ['japanese', 'latin']) {
      const file = join(family, 'files', `noto-sans-jp-${subset}-${weight}-normal.woff2`);
      const data = (await readFile(file)).toString('base64');
      await page.evaluate(
        async (font) => {
          const bytes = Uint8Array.from(atob(font.data), (character) => character.charCodeAt(0));
          const unicodeRange =
            font.subset === 'latin' ? 'U+0000-00FF, U+2000-206F' : 'U+3000-9FFF, U+FF00-FFEF';
          const face = new FontFace('Noto Sans JP', bytes.buffer, { weight: font.weight, unicodeRange });
          document.fonts.add(await face.load());
        },
        { data, subset, weight },
      );
    }
  }
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
