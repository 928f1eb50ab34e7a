import { readFile } from 'node:fs/promises';
import { demoPassword, importUsers, send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { files, groups, ui, userImport, users } = texts.ja;
const names = ['Row one', 'Row two', 'Row three', 'Row four', 'Row five'];
const portal = portalForSpec();
let page: Page;

beforeAll(async () => {
  page = await portal.open();
  await signInPartner(page);
  const token = await signIn(portal, '1000', 'partner@example.com');
  for (const [index, name] of names.entries()) {
    const body = { name, login_user_id: `row-${index}`, password: demoPassword, role: 0 };
    await send(portal, 'POST', '/v1/partner/partners/1/users', { token, body });
  }
});

const rowOf = (name: string) => page.getByRole('row', { name });
const isFocused = (locator: ReturnType<typeof rowOf>) =>
  expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);
const list = () => page.getByRole('region', { name: users.title, exact: true });
const isWithinList = () =>
  expect.poll(() => list().evaluate((element) => element.contains(document.activeElement))).toBe(true);

test('Invalid query values in the address of a list are ignored', async () => {
  await page.goto('/partner/users?name=Row&createdAtStart=nonsense&osType=amiga&group=999999&orderKey=x');
  await rowOf('Row five').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: ui.removeFilter.split('{{')[0] ?? '' }).count())
    .toBe(1);
});

test('The focus is on the next row once one is deleted, and on the list once many are', async () => {
  await page.goto('/partner/users?name=Row');
  await page.getByRole('button', { name: `${ui.delete}: Row four` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: ui.delete }).focus();
  await page.keyboard.press('Enter');
  await rowOf('Row four').waitFor({ state: 'detached' });
  await isFocused(rowOf('Row three'));

  await page.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Row five') }).check();
  await page.getByRole('button', { name: ui.delete, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: ui.delete }).click();
  await rowOf('Row five').waitFor({ state: 'detached' });
  await isWithinList();
});

test('The focus stays in a filter that is searched by, and with the filters when one goes', async () => {
  await page.goto('/partner/users');
  const toggle = page.getByRole('button', { name: ui.search, exact: true });
  await toggle.click();
  const field = page.getByRole('search', { name: ui.search }).getByLabel(users.name);
  await field.fill('Row');
  await field.press('Enter');
  const chip = page.getByRole('button', {
    name: ui.removeFilter.replace('{{filter}}', `${users.name}: Row`),
  });
  await chip.waitFor();
  await isFocused(field);
  await chip.focus();
  await page.keyboard.press('Enter');
  await isFocused(toggle);
});

test('After a user is deleted on their page, going back shows that they do not exist', async () => {
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) failed.push(response.url());
  });
  await page.goto('/partner/users?name=Row');
  await page.getByRole('link', { name: 'Row three', exact: true }).click();
  await page.getByText(files.everyone).first().waitFor();
  // Whoever comes by an address has not loaded the list: the page stays in the background until it is there.
  await page.reload();
  await page.getByText(files.everyone).first().waitFor();
  await page.getByRole('button', { name: users.delete, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: ui.delete }).click();
  await page.waitForURL((url) => url.pathname === '/partner/users');
  await page.getByRole('heading', { level: 1, name: users.title, exact: true }).waitFor();
  await rowOf('Row three').waitFor({ state: 'detached' });
  await page.goBack();
  await rowOf('Row two').waitFor();
  expect(await page.getByRole('heading', { name: 'Row three' }).count()).toBe(0);
  expect(failed).toEqual([]);
});

test('The order is chosen by name where its column is left out', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/partner/users?orderKey=name&order=asc');
  await page.getByLabel(ui.sortedBy).selectOption(ui.orders.desc.replace('{{column}}', users.id));
  await page.waitForURL((url) => !url.searchParams.has('orderKey'));
  await page.setViewportSize({ width: 1440, height: 900 });
  const header = page.getByRole('columnheader', { name: users.id, exact: true });
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
});

test('The page of an import that is not there leads to the form', async () => {
  await page.goto('/partner/users/csv-complete');
  await page.waitForURL((url) => url.pathname === '/partner/users/csv');
  await page.goto('/partner/users/csv-error?id=999999');
  await page.getByText(userImport.goneTitle).waitFor();
  await page.getByRole('link', { name: userImport.again }).click();
  await page.waitForURL((url) => url.pathname === '/partner/users/csv');
});

test('Those who are left are cleared away', async () => {
  await page.goto('/partner/users?name=Row');
  await page.locator('thead input[type=checkbox]').check();
  await page.getByRole('button', { name: ui.delete, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: ui.delete }).click();
  await page.getByText(ui.noMatchTitle).waitFor();
  await isWithinList();
});

test('300 people are looked for, and all that match go into a group, into a CSV file and away', async () => {
  // Partner 2: its licences count devices.
  const page = await portal.open();
  await signInPartner(page, 'second@example.com', { code: '2000' });
  const path = '/v1/partner/partners/2';
  const token = await signIn(portal, '2000', 'second@example.com');
  const group = await send(portal, 'POST', `${path}/groups`, { token, body: { name: 'All of the crowd' } });
  const lines = Array.from({ length: 300 }, (_, i) => `Crowd ${i},crowd-${i}@example.com,,,,,0`);
  await importUsers(portal, token, { partnerId: 2, lines });

  await page.goto('/partner/users');
  const box = page.getByRole('searchbox', { name: users.searchFor });
  await box.fill('Crowd');
  await box.press('Enter');
  await page.getByText(ui.count.replace('{{count}}', '300'), { exact: true }).waitFor();
  const bar = page.getByRole('region', { name: ui.bulk });
  const selectAllThatMatch = async () => {
    await page.locator('thead input[type=checkbox]').check();
    await bar.getByRole('button', { name: ui.selectMatching.replace('{{count}}', '300') }).click();
    await bar.getByText(ui.allSelected.replace('{{count}}', '300')).waitFor();
  };
  await selectAllThatMatch();
  await bar.getByRole('button', { name: groups.members.addSelected }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'All of the crowd' }).check();
  await dialog.getByRole('button', { name: groups.members.addSelected }).click();
  await dialog.waitFor({ state: 'detached' });
  const members = await send(portal, 'GET', `${path}/users?group=${group.body.id}&per_page=1`, { token });
  expect(members.body.totalCount).toBe(300);

  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    page.getByRole('button', { name: ui.csvThese.replace('{{count}}', '300') }).click(),
  ]);
  const [, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(rows).toHaveLength(300);
  expect(rows.every((row) => row.startsWith('Crowd ') && row.includes(`,${group.body.id},0,`))).toBe(true);

  await selectAllThatMatch();
  await bar.getByRole('button', { name: ui.delete, exact: true }).click();
  await dialog.getByRole('button', { name: ui.delete }).click();
  await page.getByText(ui.noMatchTitle).waitFor();
  await send(portal, 'DELETE', `${path}/groups/${group.body.id}`, { token });
});
