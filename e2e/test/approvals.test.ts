import { send, signIn, uploadFile } from '@portal/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { settled, violationsOf } from '../support/check-page.ts';
import { demoPassword, signInPartner } from '../support/people.ts';
import { type Portal, sharedPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

const { approvals, deliverySettings, effect, files, shell } = texts.ja;
const of = '/v1/partner/partners/2';
const fileName = 'two-people.uap';
const other = { name: '鈴木 二郎', email: 'other-of-two@example.com', password: demoPassword };
const named = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/\{\{(\w+)(?:, \w+)?\}\}/g, (_, name: string) => String(values[name]));

let portal: Pick<Portal, 'url' | 'remove'>;
let browser: Browser;
let token: string;
let otherToken: string;
let otherId: number;
let id: number;
let one: Page;
let two: Page;

async function ask(
  method: string,
  path: string,
  body: object | undefined,
  by = token,
): Promise<Record<string, unknown>> {
  const reply = await send(portal, method, of + path, { token: by, body });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const currentVersion = async () => {
  const { versions } = (await ask('GET', `/files/${id}/versions`, undefined)) as {
    versions: { version: number; state: string; restoredFrom: number | null }[];
  };
  const { restoredFrom, version } = versions.find(({ state }) => state === 'current') ?? {};
  return [version, restoredFrom];
};

async function newBytes(text: string): Promise<void> {
  const bytes = Buffer.from(text.repeat(500));
  const opened = await ask('PUT', `/files/${id}`, { file_name: fileName, file_size: bytes.length });
  await fetch(String(opened['signedUrl']), { method: 'PUT', body: new Uint8Array(bytes) });
  const completed = await send(portal, 'POST', `/v1/uploads/${String(opened['uploadId'])}/complete`, {
    token,
    body: {},
  });
  if (completed.status >= 300) throw new Error(JSON.stringify(completed.body));
}

const openFile = (page: Page) => page.goto(`/partner/files/detail/?id=${id}&pn=Second`);
const askToPutBack = async (page: Page, version: number) => {
  await page.getByRole('button', { name: named(files.versions.putBackOf, { version }) }).click();
  const dialog = page.getByRole('dialog', { name: named(files.versions.confirmTitle, { version }) });
  await dialog.getByRole('group', { name: effect.title }).waitFor();
  return dialog;
};

/** Decides on the newest request, as people do: from the list, by its page. */
async function decide(page: Page, what: string, action: { action: string; title: string; done: string }) {
  await page.goto('/partner/approvals');
  await page
    .getByRole('link', { name: new RegExp(`^${what}`) })
    .first()
    .click();
  await page.getByRole('button', { name: action.action }).click();
  const dialog = page.getByRole('dialog', { name: action.title });
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('textbox').fill('確認しました');
  await dialog.getByRole('button', { name: action.action }).click();
}

beforeAll(async () => {
  [portal, browser] = await Promise.all([sharedPortal(), sharedBrowser()]);
  token = await signIn(portal, '2000', 'second@example.com');
  otherId = Number((await ask('POST', '/admins', other))['id']);
  otherToken = await signIn(portal, '2000', other.email);
  const content = Buffer.from('good '.repeat(500));
  id = await uploadFile(portal, token, { partnerId: 2, name: '2人で決める', fileName, content });
  await ask('PUT', `/files/${id}/groups`, { group_ids: [0] });
  await newBytes('bad ');
  one = (await openPage(browser, portal.url)).page;
  two = (await openPage(browser, portal.url)).page;
  await signInPartner(one, 'second@example.com', { code: '2000' });
  await signInPartner(two, other.email, { code: '2000' });
});
afterAll(async () => {
  // As it was for the specs that follow, wherever this one has ended.
  if (otherToken) {
    const reply = await send(portal, 'PUT', `${of}/delivery_settings`, {
      token,
      body: { versions_kept: 10, approval_required: false },
    });
    const approvalId = reply.body['approvalId'];
    if (approvalId) await ask('POST', `/approvals/${String(approvalId)}/approve`, {}, otherToken);
    await send(portal, 'DELETE', `${of}/files/${id}`, { token });
    await send(portal, 'DELETE', `${of}/admins`, { token, body: { ids: [otherId] } });
  }
  await closePages(browser);
  await portal?.remove();
});

test('The effect of a change is told before, and told anew when something has changed since', async () => {
  await openFile(one);
  const dialog = await askToPutBack(one, 1);
  await dialog.getByText(effect.changes).waitFor();
  await settled(one);
  expect(await violationsOf(one)).toEqual([]);
  // Somebody else is quicker.
  await ask('POST', `/files/${id}/versions/1/restore`, {}, otherToken);
  await dialog.getByRole('button', { name: files.versions.putBack }).click();
  await dialog.getByText(effect.changed).waitFor();
  expect(await currentVersion()).toEqual([3, 1]);
  await dialog.getByRole('button', { name: files.versions.putBack }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(currentVersion).toEqual([4, 1]);
});

test('What one administrator changes, another one approves', async () => {
  await one.goto('/partner/delivery_settings');
  await one.getByRole('button', { name: deliverySettings.twoPeople.on.action }).click();
  const turnOn = one.getByRole('dialog', { name: deliverySettings.twoPeople.on.title });
  await turnOn.getByRole('button', { name: deliverySettings.twoPeople.on.confirm }).click();
  await one.getByText(deliverySettings.twoPeople.stateOn).waitFor();

  await openFile(one);
  const dialog = await askToPutBack(one, 2);
  await dialog.getByText(effect.waits).waitFor();
  await dialog.getByRole('button', { name: effect.ask }).click();
  await one.getByText(effect.asked).waitFor();
  expect(await currentVersion()).toEqual([4, 1]);
  await one.getByRole('button', { name: effect.toApproval }).click();
  await one.getByText(approvals.own.title).waitFor();
  expect(await one.getByRole('button', { name: approvals.approve.action }).count()).toBe(0);
  await settled(one);
  expect(await violationsOf(one)).toEqual([]);

  await two.goto('/partner/menu');
  const navigation = two.getByRole('navigation', { name: shell.navigation });
  await navigation.getByText(named(shell.waiting_other, { count: 1 })).waitFor();
  await decide(two, approvals.what.restore, approvals.approve);
  await two.getByText(approvals.approve.done).waitFor();
  expect(await currentVersion()).toEqual([5, 2]);
  await two.getByText(named(approvals.outcomes.approved, { name: other.name })).waitFor();
  // Who asked sees it without doing anything.
  await one.getByText(named(approvals.outcomes.approved, { name: other.name })).waitFor({ timeout: 30_000 });
});

test('What has another effect by now is made no more; what is declined has a word; off it goes by two people', async () => {
  const restored = await ask('POST', `/files/${id}/versions/1/restore`, {});
  const deleted = await ask('DELETE', `/files/${id}`, undefined);
  expect([typeof restored['approvalId'], typeof deleted['approvalId']]).toEqual(['number', 'number']);
  await ask('POST', `/approvals/${String(restored['approvalId'])}/approve`, {}, otherToken);
  await decide(two, approvals.what.deletion, approvals.approve);
  await two.getByText(approvals.outcomes.stale).waitFor();

  await ask('DELETE', `/files/${id}`, undefined);
  await decide(two, approvals.what.deletion, approvals.decline);
  await two.getByText(named(approvals.outcomes.declined, { name: other.name })).waitFor();
  await two.getByText(named(approvals.said, { comment: '確認しました' })).waitFor();

  await one.goto('/partner/delivery_settings');
  await one.getByRole('button', { name: deliverySettings.twoPeople.off.action }).click();
  const turnOff = one.getByRole('dialog', { name: deliverySettings.twoPeople.off.title });
  await turnOff.getByRole('button', { name: deliverySettings.twoPeople.off.confirm }).click();
  await one.getByText(effect.asked).waitFor();
  await decide(two, approvals.what.settings, approvals.approve);
  await two.getByText(approvals.approve.done).waitFor();
  await one.reload();
  await one.getByText(deliverySettings.twoPeople.stateOff).waitFor();
});
