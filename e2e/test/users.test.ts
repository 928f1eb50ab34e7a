import { userRoleBits } from '@portal/contracts';
import { demoPassword, send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { files, groups, ui, users } = texts.ja;
const portal = portalForSpec();
let page: Page;

beforeAll(async () => {
  page = await portal.open();
  await signInPartner(page);
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const groupTitle = (name: string) =>
  groups.withRole.replace('{{name}}', name).replace('{{role}}', groups.roles.user);
const open = (name: string) => page.getByRole('link', { name, exact: true }).click();

test('A user is created with a group through confirmation', async () => {
  await page.goto('/partner/users');
  await page.getByRole('link', { name: users.create }).click();
  await page.getByRole('textbox', { name: users.name }).fill('Ichiro');
  await page.getByRole('radio', { name: users.loginUserId }).check();
  await page.getByRole('textbox', { name: users.loginUserId }).fill('ichiro');
  await page.locator('input[type=password]').fill(demoPassword);
  await page.getByRole('checkbox', { name: groupTitle('Sales') }).check();
  await press(ui.toConfirm);
  await heading(users.confirm);
  await page.getByText(groupTitle('Sales')).waitFor();
  await press(ui.create);
  await heading(users.complete);
  await page.getByRole('link', { name: users.toDetail }).click();
  await heading('Ichiro');
});

test('Their page tells what they get, and what they will get, through which group', async () => {
  const now = page.getByRole('region', { name: users.delivered.title, exact: true });
  await now.getByRole('row', { name: 'Product tour' }).getByText('Sales').waitFor();
  await now.getByRole('row', { name: 'Company handbook' }).getByText(files.everyone).waitFor();
  expect(await now.getByRole('row', { name: 'Next release' }).count()).toBe(0);
  const later = page
    .getByRole('region', { name: users.ahead.title, exact: true })
    .getByRole('row', { name: 'Next release' });
  await later.getByText(files.everyone).waitFor();
  await later.getByText(users.ahead.delivery.replace('{{time}}', '').trim()).waitFor();
});

test('An id that is taken is refused at its field', async () => {
  await page.goto('/partner/users/create');
  await page.getByRole('textbox', { name: users.name }).fill('Another');
  await page.getByRole('radio', { name: users.loginUserId }).check();
  const field = page.getByRole('textbox', { name: users.loginUserId });
  await field.fill('ICHIRO');
  await page.locator('input[type=password]').fill(demoPassword);
  await press(ui.toConfirm);
  await press(ui.create);
  await heading(users.create);
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => field.inputValue()).toBe('ICHIRO');
});

test('A device of theirs is removed by an edit, and is signed out', async () => {
  const token = await signIn(portal, '1000', 'ichiro', 'ichiros-device');
  const filesOfDevice = async () => (await send(portal, 'GET', '/v1/user/files', { token })).status;
  expect(await filesOfDevice()).toBe(200);
  await page.goto('/partner/users?loginId=ichiro');
  await open('Ichiro');
  await page.getByText('ichiros-device').waitFor();
  await open(ui.edit);
  await page.locator('form table').getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: users.devices.remove }).click();
  await page.getByText(users.devices.willGo).waitFor();
  await press(ui.toConfirm);
  await page.getByText(users.devices.removed).waitFor();
  await press(ui.save);
  await heading(users.complete);
  await page.getByRole('link', { name: users.toDetail }).click();
  await page.getByText(users.devices.none).waitFor();
  await vi.waitFor(async () => expect(await filesOfDevice()).toBe(401), { timeout: 10_000 });
  expect((await send(portal, 'GET', '/v2/oauth2/token', { token })).status).toBe(401);
  const again = await signIn(portal, '1000', 'ichiro', 'ichiros-device');
  expect((await send(portal, 'GET', '/v1/user/files', { token: again })).status).toBe(200);
});

test('They leave a group and come into another, many at once', async () => {
  await page.goto('/partner/groups');
  await open('Sales');
  await page.getByRole('button', { name: `${groups.members.remove}: Ichiro` }).click();
  await page.getByRole('dialog').getByRole('button', { name: groups.members.remove }).click();
  await page.getByText(groups.members.removed_other.replace('{{count}}', '1')).waitFor();
  await page.getByRole('rowheader', { name: 'Ichiro' }).waitFor({ state: 'detached' });

  await page.goto('/partner/groups');
  await open('Field');
  await page.getByRole('link', { name: groups.members.add }).first().click();
  await page.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Ichiro') }).check();
  await page.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Jiro') }).check();
  await press(groups.members.addSelected);
  await page.getByText(groups.members.added_other.replace('{{count}}', '2')).waitFor();
  await page.getByRole('row', { name: 'Jiro' }).getByText(groups.members.isMember).waitFor();
});

test('They are deleted after a dialog that names them', async () => {
  await page.goto('/partner/users?name=Ichiro');
  await page.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Ichiro') }).check();
  await press(ui.delete);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Ichiro').waitFor();
  await dialog.getByRole('button', { name: ui.delete }).click();
  await page.getByText(users.deleted_other.replace('{{count}}', '1')).waitFor();
  await page.getByText(ui.noMatchTitle).waitFor();
});

test('Oneself is neither deleted nor stops being an admin', async () => {
  // The admin of the other tests is no user: one who is comes for the while of this.
  const own = await portal.open();
  const token = await signIn(portal, '1000', 'partner@example.com');
  const path = '/v1/partner/partners/1/users';
  const body = { name: 'Boss', login_user_id: 'boss', password: demoPassword, role: userRoleBits.admin };
  const { body: made } = await send(portal, 'POST', path, { token, body });
  try {
    await signInPartner(own, 'boss');
    await own.goto('/partner/users?loginId=boss');
    await own.getByText(ui.self).waitFor();
    expect(await own.getByRole('button', { name: `${ui.delete}: Boss` }).count()).toBe(0);
    expect(await own.getByRole('checkbox', { name: ui.selectRow.replace('{{name}}', 'Boss') }).count()).toBe(
      0,
    );
    await own.getByRole('link', { name: 'Boss', exact: true }).click();
    await own.getByRole('link', { name: ui.edit, exact: true }).click();
    expect(await own.getByRole('button', { name: users.delete }).count()).toBe(0);
    await own.getByRole('checkbox', { name: users.roles.admin }).uncheck();
    await own.getByRole('button', { name: ui.toConfirm, exact: true }).click();
    await own
      .getByRole('group', { name: users.role })
      .getByText('ご自身の管理者権限は外せません。')
      .waitFor();
    await own.getByRole('alert').getByRole('link').click();
    expect(await own.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
  } finally {
    await send(portal, 'DELETE', path, { token, body: { ids: [made.id] } });
    await own.context().close();
  }
});
