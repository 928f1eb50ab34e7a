import { readFile } from 'node:fs/promises';
import { send, signIn } from '@portal/testing/http-client';
import iconv from 'iconv-lite';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mailsTo, newestLink } from '../support/mailbox.ts';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { ui, userImport, users } = texts.ja;
const portal = portalForSpec();
let page: Page;

beforeAll(async () => {
  page = await portal.open();
  // Partner 2: its licences count devices, and the other specs count the people of partner 1.
  await signInPartner(page, 'second@example.com', { code: '2000' });
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** A definition of the page. */
const told = async (term: string) =>
  page.locator('dl > div').filter({ hasText: term }).locator('dd').first().textContent();
const filled = (text: string, count: number) => text.replace('{{count, number}}', String(count));
const people = (count: number) => userImport.people.replace('{{count}}', String(count));

const header = 'name,email,login_user_id,password,json,group_ids,delete_flag';
const csv = (rows: readonly string[]) => [header, ...rows, ''].join('\r\n');
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

async function choose(content: string | Buffer, name = 'users.csv'): Promise<void> {
  await page.goto('/partner/users/csv');
  const buffer = Buffer.from(content);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

async function upload(content: string | Buffer): Promise<void> {
  await choose(content);
  await page.getByText(userImport.checkedLocally.split('{{')[0] ?? '').waitFor();
  await press(ui.toConfirm);
  await page.waitForURL((url) => url.pathname === '/partner/users/csv-confirm');
}

async function apply(): Promise<void> {
  await press(userImport.submit);
  // Meanwhile the other services receive the events of the users imported before.
  await page.waitForURL((url) => url.pathname === '/partner/users/csv-complete', { timeout: 60_000 });
  await heading(userImport.complete);
}

/** Looks for somebody among those whom the import concerns. */
async function look(name: string): Promise<void> {
  const box = page.getByRole('searchbox', { name: userImport.whom.search });
  await box.fill(name);
  await box.press('Enter');
}

async function userCount(): Promise<number> {
  const token = await signIn(portal, '2000', 'second@example.com');
  const { body } = await send(portal, 'GET', '/v1/partner/partners/2/users?per_page=1', { token });
  return Number(body.totalCount);
}

const utf8 = csv(
  numbers(0, 150).map((i) =>
    i < 5 ? `社員 ${i},,imported-${i},Passw0rd-${i},,,0` : `社員 ${i},imported-${i}@example.com,,,,,0`,
  ),
);
const shiftJis = iconv.encode(
  csv(numbers(150, 150).map((i) => `髙橋 ${i},imported-${i}@example.com,,,,,0`)),
  'cp932',
);

test('An admin finds the import on the list of users, with a template', async () => {
  await page.goto('/partner/users');
  await page.getByRole('link', { name: userImport.open }).click();
  await heading(userImport.title);
  const [download] = await Promise.all([page.waitForEvent('download'), press(userImport.template)]);
  expect(download.suggestedFilename()).toBe('users_template.csv');
  expect(await readFile(await download.path(), 'utf8')).toContain(header);
});

test('Users that are exported and imported again are unchanged', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    press(userImport.export),
  ]);
  await upload(await readFile(await download.path()));
  await page.getByText(userImport.nothingToDo).waitFor({ timeout: 60_000 });
  expect(await told(userImport.unchanged)).toBe(people(await userCount()));
  await press(userImport.giveUp);
  await heading(userImport.title);
});

test('300 users come in two files, one of them in Shift-JIS; what will happen is known before, and mails are sent as asked', async () => {
  const before = await userCount();
  for (const [file, { name, mails, sends }] of [
    [utf8, { name: '社員 149', mails: 145, sends: false }],
    [shiftJis, { name: '髙橋 299', mails: 150, sends: true }],
  ] as const) {
    await upload(file);
    await page.getByText(userImport.confirmLead).waitFor({ timeout: 60_000 });
    expect(await told(userImport.created)).toBe(people(150));
    expect(await told(userImport.deleted)).toBe(people(0));
    const box = page.getByRole('checkbox', { name: filled(userImport.mails.send_other, mails) });
    expect(await box.isChecked()).toBe(true);
    if (!sends) await box.uncheck();
    // One of them is found by name, before and afterwards.
    await page.getByRole('tab', { name: `${userImport.created} 150` }).waitFor();
    await look(name);
    await page.getByRole('rowheader').filter({ hasText: name }).waitFor();
    await apply();
    expect(await told(userImport.created)).toBe(people(150));
    const mailText = sends ? userImport.mails.sent_other : userImport.mails.leftOut_other;
    await page.getByText(filled(mailText, mails)).waitFor();
    await look(name);
    await page.getByRole('link', { name, exact: true }).waitFor();
  }
  expect(await userCount()).toBe(before + 300);
  // The mails of the second file go out behind what the first one had told.
  await newestLink(page, 'imported-299@example.com');
  expect(await mailsTo(page, 'imported-149@example.com')).toEqual([]);
  await page.getByRole('link', { name: userImport.toUsers }).click();
  await heading(users.title);
  await page.goto('/partner/users?name=髙橋 299');
  await page.getByRole('link', { name: '髙橋 299', exact: true }).waitFor();
});

test('The same file once more changes nothing, and can be given up', async () => {
  const before = await userCount();
  await upload(shiftJis);
  await page.getByText(userImport.nothingToDo).waitFor({ timeout: 60_000 });
  expect(await told(userImport.unchanged)).toBe(people(150));
  // The page can be loaded again: the import waits.
  await page.reload();
  await page.getByText(userImport.nothingToDo).waitFor();
  await press(userImport.giveUp);
  await heading(userImport.title);
  expect(await userCount()).toBe(before);
});

test('A file with wrong lines is refused in the browser, line by line, and the errors can be downloaded as CSV', async () => {
  await choose(csv(['Fine,fine@example.com,,,,,0', 'No address,nobody,,,,,0', 'Eight,e@example.com,,,,,0,']));
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('メールアドレスの形式が正しくありません。').getByText('3', { exact: true }).waitFor();
  await row('7列必要ですが、8列あります。').getByText(userImport.wholeLine).waitFor();
  expect(await page.getByRole('button', { name: ui.toConfirm }).isDisabled()).toBe(true);
  const [download] = await Promise.all([page.waitForEvent('download'), press(userImport.downloadErrors)]);
  expect(await readFile(await download.path(), 'utf8')).toContain('3,email,');
});

test('Errors that only the server can find are shown on a page of their own, and nothing is applied', async () => {
  const before = await userCount();
  await upload(csv(['Fine,fine@example.com,,,,,0', 'No such group,group@example.com,,,,999999,0']));
  await page.waitForURL((url) => url.pathname === '/partner/users/csv-error', { timeout: 60_000 });
  await heading(userImport.errorTitle);
  await page.getByRole('row').filter({ hasText: 'group_ids' }).getByText('3', { exact: true }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), press(userImport.downloadErrors)]);
  expect(await readFile(await download.path(), 'utf8')).toContain('3,group_ids,E40404');
  expect(await userCount()).toBe(before);
});

test('A file that cannot be read is refused at once', async () => {
  await choose(csv(['"Never closed,a@example.com,,,,,0']));
  await page.getByRole('alert').filter({ hasText: userImport.csvError }).waitFor();
  for (const [content, message] of [
    ['', 'CSVファイルにユーザーの行がありません。'],
    ['\uFEFF', 'CSVファイルにユーザーの行がありません。'],
    ['A,a@example.com,,,,,0', '1行目に見出しの行がありません。'],
  ] as const) {
    await choose(content);
    await page.getByText(message).waitFor();
    expect(await page.getByRole('button', { name: ui.toConfirm }).isDisabled()).toBe(true);
  }
  await choose(Buffer.from('PK\u0003\u0004'), 'users.xlsx');
  await page.getByText('.csvファイルを指定してください。').waitFor();
});

test('A file takes the 300 users away again, after a tick that says how many', async () => {
  const before = await userCount();
  const rows = numbers(0, 300).map((i) =>
    i < 5 ? `,,imported-${i},,,,1` : `,imported-${i}@example.com,,,,,1`,
  );
  await upload(csv(rows));
  await page.getByText(userImport.deletesForGood).waitFor({ timeout: 60_000 });
  expect(await told(userImport.deleted)).toBe(people(300));
  await page.getByRole('rowheader').filter({ hasText: '社員 0' }).waitFor();
  await press(userImport.submit);
  await page.getByText(userImport.tickMissing).waitFor();
  await page.getByRole('checkbox', { name: filled(userImport.acceptDeletion_other, 300) }).check();
  await apply();
  expect(await userCount()).toBe(before - 300);
});
