import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { groups, operationLogs, ui, users } = texts.ja;
const portal = portalForSpec();
let page: Page;

beforeAll(async () => {
  page = await portal.open();
  await signInPartner(page);
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** Of the form alone: a list names its filters like its fields. */
const nameField = () => page.getByRole('textbox', { name: groups.name });

test('A group is created through confirmation, over reloads and the back button', async () => {
  await page.goto('/partner/groups');
  await page.getByRole('link', { name: groups.create }).click();
  await nameField().fill('North');
  await page.getByLabel(groups.note).fill('Opens in spring');
  await page.reload();
  expect(await nameField().inputValue()).toBe('North');
  await press(ui.toConfirm);
  await heading(groups.confirm);
  await page.reload();
  await page.getByText('Opens in spring').waitFor();
  await page.goBack();
  await heading(groups.create);
  await nameField().fill('North shops');
  await press(ui.toConfirm);
  await heading(groups.confirm);
  await press(ui.create);
  await heading(groups.complete);
  await page.reload();
  await page.getByText(groups.created.replace('{{name}}', 'North shops')).waitFor();
  await page.getByRole('link', { name: groups.toList }).click();
  await page.getByRole('rowheader', { name: 'North shops' }).waitFor();
});

test('The back button after completion creates nothing twice', async () => {
  await page.goto('/partner/groups/create');
  await nameField().fill('Once');
  await press(ui.toConfirm);
  await press(ui.create);
  await heading(groups.complete);
  await page.goBack();
  await page.goto('/partner/groups?name=Once');
  await page.getByRole('rowheader', { name: 'Once' }).waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(1);
});

test('A name that is taken is refused at its field', async () => {
  await page.goto('/partner/groups/create');
  await nameField().fill('sales');
  await press(ui.toConfirm);
  await press(ui.create);
  await heading(groups.create);
  await expect.poll(() => nameField().getAttribute('aria-invalid')).toBe('true');
  expect(await nameField().inputValue()).toBe('sales');
});

test('A group is edited; the confirmation marks what changes', async () => {
  await page.goto('/partner/groups?name=North');
  await page.getByRole('link', { name: 'North shops', exact: true }).click();
  await heading(groups.withRole.replace('{{name}}', 'North shops').replace('{{role}}', groups.roles.user));
  await page.getByRole('link', { name: ui.edit, exact: true }).click();
  await nameField().fill('Northern shops');
  await press(ui.toConfirm);
  await page.getByText(ui.changed).waitFor();
  await press(ui.save);
  await heading(groups.complete);
  await page.getByRole('link', { name: groups.toList }).click();
  await page.getByRole('rowheader', { name: 'Northern shops' }).waitFor();
});

test('The page of a group tells what was done with it', async () => {
  await page.getByRole('link', { name: 'Northern shops', exact: true }).click();
  const history = page.getByRole('table', { name: operationLogs.history });
  // The log is written a moment after the change.
  await expect
    .poll(async () => {
      await page.reload();
      await history.getByRole('rowheader').first().waitFor();
      return history.getByRole('rowheader').allInnerTexts();
    })
    .toEqual(['グループの編集', 'グループの作成']);
});

test('Leaving a changed form asks first', async () => {
  await page.goto('/partner/groups/create');
  await nameField().fill('Unfinished');
  await page.getByRole('link', { name: ui.cancel }).click();
  await page.getByRole('dialog', { name: ui.leaveTitle }).waitFor();
  await press(ui.leave);
  await heading(groups.title);
});

test('Groups are deleted after a dialog that names them; of one with users it leads to them', async () => {
  await page.goto('/partner/groups');
  await page.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Northern shops') }).check();
  await page.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Once') }).check();
  await press(ui.delete);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Northern shops').waitFor();
  await dialog.getByRole('button', { name: ui.delete }).click();
  await page.getByText(groups.deleted_other.replace('{{count}}', '2')).waitFor();

  await page.getByRole('button', { name: `${ui.delete}: Sales` }).click();
  await dialog.getByText(groups.inUse.text).waitFor();
  expect(await dialog.getByRole('button', { name: ui.delete }).count()).toBe(0);
  await dialog.getByRole('link', { name: /^ユーザー/ }).click();
  await heading(users.title);
  await page.getByRole('rowheader').first().waitFor();
  await page.goto('/partner/groups');
  await page.getByRole('rowheader', { name: 'Sales' }).waitFor();
});

test('Page, sort and filters survive a reload and the back button', async () => {
  await page.goto('/partner/groups');
  await page.getByRole('columnheader', { name: groups.name }).getByRole('button').click();
  await press(ui.search);
  await page.getByRole('search', { name: ui.search }).getByLabel(groups.name).fill('Fie');
  await press(ui.applySearch);
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['Field']);
  await page.reload();
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['Field']);
  expect(await page.getByRole('columnheader', { name: groups.name }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  await page.goBack();
  await page.getByRole('rowheader', { name: 'Sales' }).waitFor();
});
