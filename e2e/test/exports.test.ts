import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { groups, operationLogs, ownNotices, shell, ui, userImport } = texts.ja;
const portal = portalForSpec();
let page: Page;

beforeAll(async () => {
  page = await portal.open();
  await signInPartner(page);
});

/** Presses the button of the page and waits for the file. */
async function exported(from: Page): Promise<Download> {
  const [download] = await Promise.all([
    from.waitForEvent('download', { timeout: 60_000 }),
    from.getByRole('button', { name: ui.csv, exact: true }).click(),
  ]);
  return download;
}

const linesOf = async (download: Download, encoding = 'utf-8') =>
  new TextDecoder(encoding, { ignoreBOM: true }).decode(await readFile(await download.path())).split('\r\n');

test('users.csv holds the users, as a spreadsheet takes it', async () => {
  await page.goto('/partner/users');
  await page.getByRole('rowheader').first().waitFor();
  const download = await exported(page);
  expect(download.suggestedFilename()).toBe('users.csv');
  const [header, ...rows] = await linesOf(download);
  expect(header).toBe(
    '\uFEFFname,email,login_user_id,password,json,group_ids,delete_flag,id,roles,devices,created_at,last_login_at',
  );
  expect(rows.find((row) => row.startsWith('Taro,'))).toMatch(/^Taro,,taro,,,\d+,0,\d+,user,/);
  // The button is ready again, and a second export of the same kind is none too many.
  expect((await exported(page)).suggestedFilename()).toBe('users.csv');
});

test('users.csv for an import has its columns alone, and can be had on its page too', async () => {
  const other = (from: Page, name: string) =>
    Promise.all([
      from.waitForEvent('download', { timeout: 60_000 }),
      from.getByRole('button', { name, exact: true }).click(),
    ]);
  await page.goto('/partner/users');
  await page.getByRole('button', { name: ui.csvOther }).click();
  // Escape puts it away, and gives the focus back.
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: userImport.export }).count()).toBe(0);
  await page.keyboard.press('Enter');
  const [download] = await other(page, userImport.export);
  const lines = await linesOf(download);
  expect(lines[0]).toBe('\uFEFFname,email,login_user_id,password,json,group_ids,delete_flag');
  expect(lines.find((line) => line.startsWith('Taro,'))).toMatch(/^Taro,,taro,,,\d+,0$/);

  await page.goto('/partner/users/csv');
  const [again] = await other(page, userImport.export);
  expect(await linesOf(again)).toEqual(lines);
});

test('files.csv is Shift-JIS, with the words of the reader', async () => {
  await page.goto('/partner/files');
  await page.getByRole('rowheader').first().waitFor();
  const download = await exported(page);
  expect(download.suggestedFilename()).toBe('files.csv');
  const [header, ...rows] = await linesOf(download, 'shift_jis');
  expect(header).toMatch(/^id,name,note,file_name,/);
  expect(rows.join('\n')).toContain('全員');
});

test('An export that is stopped lets the next one begin', async () => {
  await page.goto('/partner/users');
  await page.route('**/users/csv/batches/*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const json = { id: 1, status: 'processing', progress: 0.42, row_count: 42 };
    return route.fulfill({ json });
  });
  await page.getByRole('button', { name: ui.csv, exact: true }).click();
  await expect
    .poll(() => page.getByRole('progressbar', { name: ui.csvRunning }).getAttribute('aria-valuenow'))
    .toBe('42');
  // It goes on when the list is opened again.
  await page.reload();
  await page.getByRole('progressbar', { name: ui.csvRunning }).waitFor();
  await page.getByRole('button', { name: ui.csvCancel }).click();
  await page.getByRole('button', { name: ui.csv, exact: true }).waitFor();
  await page.unroute('**/users/csv/batches/*');
  expect((await exported(page)).suggestedFilename()).toBe('users.csv');
});

test('An export that becomes ready while one is on another screen is in the bell, which leads to its download', async () => {
  const left = Promise.withResolvers<void>();
  const begin = '**/users/csv/batches';
  await page.route(begin, async (route) => {
    await left.promise;
    await route.continue();
  });
  await page.goto('/partner/users');
  await page.getByRole('rowheader').first().waitFor();
  const begun = page.waitForResponse((reply) => reply.request().method() === 'POST');
  await page.getByRole('button', { name: ui.csv, exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.groups }).click();
  await page.getByRole('heading', { level: 1, name: groups.title }).waitFor();
  left.resolve();
  const { id } = (await (await begun).json()) as { id: number };
  await page.unroute(begin);

  await page.getByRole('button', { name: /未読\d+件/ }).click();
  await page
    .getByRole('group', { name: ownNotices.title })
    .locator(`a[href="/partner/exports/users/${id}"]`)
    .click();
  await page.getByRole('heading', { level: 1, name: ownNotices.exportTitle }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: ownNotices.download, exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('users.csv');
});

test('operation_logs.csv tells what was done in a range, and by whom', async () => {
  await page.goto('/partner/menu');
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.operationLogs }).click();
  await page.getByRole('heading', { level: 1, name: operationLogs.title }).waitFor();
  await page.getByLabel(operationLogs.start).fill('2020-01-01T00:00');
  const download = await exported(page);
  expect(download.suggestedFilename()).toBe('operation_logs.csv');
  const [header, ...rows] = await linesOf(download);
  expect(header).toBe('\uFEFFwhen,who,role,address,agent,operation,target,result,text');
  const ours = rows.find((row) => row.includes('createUsersCsv'));
  expect(ours).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,partner@example\.com,\d+,/);
  expect(rows.join('\n')).not.toContain('Passw0rd');
});

test('The log on the screen tells the same in words, is filtered by who it was, and leads to the record', async () => {
  await page.goto('/partner/operation-logs');
  const log = page.getByRole('table', { name: operationLogs.title });
  await log.getByRole('rowheader', { name: 'operation_logs.csvのエクスポート' }).first().waitFor();
  await page.getByRole('button', { name: ui.search, exact: true }).click();
  await page.getByRole('textbox', { name: operationLogs.who }).fill('nobody-at-all');
  await page.getByRole('button', { name: ui.applySearch, exact: true }).click();
  await page.getByText(ui.noMatchTitle).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('nobody-at-all');
  await page
    .getByRole('button', {
      name: ui.removeFilter.replace('{{filter}}', `${operationLogs.who}: nobody-at-all`),
    })
    .click();
  await log
    .getByRole('button', { name: /operation_logs\.csv/ })
    .first()
    .click();
  await log.getByText('createOperationLogsCsv', { exact: true }).waitFor();
  await page.getByRole('button', { name: operationLogs.presets.week, exact: true }).click();
  expect(new URL(page.url()).searchParams.get('atStart')).toBe('7d');
  await log.getByRole('cell', { name: 'Demo Admin partner@example.com' }).first().waitFor();
});

test('A range that ends before it begins is refused at its field', async () => {
  await page.goto('/partner/operation-logs');
  await page.getByLabel(operationLogs.start).fill('2026-02-02T00:00');
  await page.getByLabel(operationLogs.end).fill('2026-02-01T00:00');
  await page.getByRole('button', { name: ui.csv, exact: true }).click();
  await page.getByRole('alert').waitFor();
  await expect.poll(() => page.getByLabel(operationLogs.end).getAttribute('aria-invalid')).toBe('true');
});

test('An administrator gets partners.csv and the logs of all', async () => {
  const adminPage = await portal.open();
  await signInAdmin(adminPage);
  await adminPage.goto('/admin/partners');
  await adminPage.getByRole('rowheader').first().waitFor();
  const partners = await exported(adminPage);
  expect(partners.suggestedFilename()).toBe('partners.csv');
  expect((await linesOf(partners)).join('\n')).toContain('Demo Corporation');
  await adminPage.goto('/admin/operation-logs');
  expect((await linesOf(await exported(adminPage))).join('\n')).toContain('admin@example.com');
});
