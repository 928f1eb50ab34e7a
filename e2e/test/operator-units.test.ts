import { demoPassword, send } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { administrators, partners, platformAdmins, shell, ui, unitAdmins, units } = texts.ja;
const portal = portalForSpec();
let page: Page;
/** The window of the administrator whom the platform's makes. */
let theirs: Page;

const unitName = 'キーボードのユニット';
const admin = { name: '鍵山 優', email: 'kagiyama@example.com' };
const named = (text: string, name: string) => text.replace('{{name}}', name);

beforeAll(async () => {
  [page, theirs] = await Promise.all([portal.open(), portal.open()]);
  await signInAdmin(page);
});

const heading = (name: string, of = page) =>
  of.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Goes there with Tab, or back with Shift, as somebody without a mouse does. */
async function focus(role: 'link' | 'button' | 'textbox' | 'radio' | 'combobox', name: string, of = page) {
  const dialog = of.getByRole('dialog');
  const wanted = ((await dialog.count()) > 0 ? dialog : of).getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let step = 0; step < 60; step += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await of.keyboard.press('Tab');
  }
  throw new Error(`The focus does not get to ${role} ${name}`);
}

async function press(role: 'link' | 'button', name: string, of = page): Promise<void> {
  await focus(role, name, of);
  await of.keyboard.press('Enter');
}

async function type(name: string, text: string, of = page): Promise<void> {
  await focus('textbox', name, of);
  await of.keyboard.press('Control+a');
  await of.keyboard.type(text);
}

/** The way to a screen without a mouse: the palette. */
async function go(screen: string, of = page): Promise<void> {
  await of.locator('h1').waitFor();
  await of.keyboard.press('Control+k');
  await of.getByRole('dialog').getByRole('combobox').waitFor();
  await of.keyboard.type(screen);
  await of.getByRole('option', { name: screen }).first().waitFor();
  await of.keyboard.press('Enter');
}

test('By keyboard alone the platform administrator makes a unit that a company owns', async () => {
  await go(shell.nav.units);
  await heading(units.title);
  await press('link', units.create);
  await heading(units.create);
  // What is missing is told at its field.
  await press('button', ui.toConfirm);
  await page.getByRole('alert').getByText(units.allocatedLicense).waitFor();
  await type(units.name, unitName);
  await type(units.allocatedLicense, '500');
  await focus('combobox', units.ownerPartnerid);
  await page.keyboard.type('second');
  await page.getByRole('option', { name: 'Second Company' }).waitFor();
  await page.keyboard.press('Enter');
  await press('button', ui.toConfirm);
  await heading(units.confirm);
  await page.getByRole('definition').filter({ hasText: 'Second Company' }).waitFor();
  await press('button', ui.create);
  await heading(units.complete);
  await page.getByText(named(units.created, unitName)).waitFor();
});

test('and its administrator, of the completion on', async () => {
  await press('link', units.addAdmin);
  await heading(unitAdmins.create);
  await type(administrators.name, admin.name);
  await type(administrators.email, 'unit@example.com');
  await type(administrators.password, demoPassword);
  // The highest that a unit can have is chosen already, and no higher one offered.
  await expect.poll(() => page.getByRole('radio').first().isChecked()).toBe(true);
  expect(await page.getByRole('radio', { name: administrators.roles.superadmin }).count()).toBe(0);
  await press('button', ui.toConfirm);
  await heading(unitAdmins.confirm);
  expect(await page.locator('main').textContent()).not.toContain(demoPassword);
  await press('button', ui.create);
  // Somebody has this address: the form says it at the field, and keeps the rest.
  await heading(unitAdmins.create);
  await page.getByRole('alert').getByText(administrators.email).waitFor();
  await type(administrators.email, admin.email);
  await press('button', ui.toConfirm);
  await press('button', ui.create);
  await heading(unitAdmins.complete);
  await page.getByText(administrators.tellPassword).waitFor();
});

test('edits both; what is given away already is the least that a unit can have', async () => {
  await go(shell.nav.units);
  await press('link', `${ui.edit}: ${unitName}`);
  await heading(named(units.editOf, unitName));
  await type(units.allocatedLicense, '750');
  await press('button', ui.toConfirm);
  await page.getByText(ui.changed).waitFor();
  await press('button', ui.save);
  await heading(units.complete);

  await press('link', units.toList);
  await press('link', `${ui.edit}: Demo unit`);
  await type(units.allocatedLicense, '1');
  await press('button', ui.toConfirm);
  await page.getByRole('alert').getByText(units.allocatedLicense).waitFor();
  await press('link', ui.cancel);
  // What was typed is worth a question.
  await press('button', ui.leave);
  await heading(units.title);

  await press('link', unitName);
  await heading(unitName);
  await page.getByText('750').first().waitFor();
  await press('link', admin.name);
  await heading(named(unitAdmins.editOf, admin.name));
  await type(administrators.name, '鍵山 優子');
  await press('button', ui.toConfirm);
  await page.getByText(administrators.passwordKept).waitFor();
  await press('button', ui.save);
  await heading(unitAdmins.complete);
  admin.name = '鍵山 優子';
});

test('The new administrator signs in, and sees the own unit alone', async () => {
  await signInAdmin(theirs, admin.email);
  await heading(texts.ja.auth.menuTitle, theirs);
  const navigation = theirs.getByRole('navigation', { name: shell.navigation });
  await navigation.getByRole('link', { name: shell.nav.unitAdmins }).waitFor();
  for (const absent of [shell.nav.platformAdmins, shell.nav.security])
    expect(await navigation.getByRole('link', { name: absent, exact: true }).count()).toBe(0);
  expect(await theirs.getByRole('link', { name: texts.ja.adminHome.createUnit }).count()).toBe(0);

  await go(shell.nav.units, theirs);
  await theirs.getByRole('rowheader', { name: unitName }).waitFor();
  await expect.poll(() => theirs.getByRole('rowheader').count()).toBe(1);
  expect(await theirs.getByRole('link', { name: units.create }).count()).toBe(0);
  expect(await theirs.getByRole('link', { name: `${ui.edit}: ` }).count()).toBe(0);
  expect(await theirs.getByRole('button', { name: `${ui.delete}: ` }).count()).toBe(0);

  await theirs.goto('/admin/outsourcing/detail/?id=1&pn=Demo%20unit');
  await theirs.getByText(ui.goneText).waitFor();
  for (const path of ['/admin/outsourcing/create', '/admin/admins']) {
    await theirs.goto(path);
    await heading(shell.forbiddenTitle, theirs);
  }
});

test('goes back from the form of another administrator to the list of the own unit', async () => {
  await theirs.goto('/admin/outsourcing/admins');
  await theirs.getByRole('rowheader', { name: admin.name }).getByText(ui.self).waitFor();
  // Nobody deletes themselves.
  expect(await theirs.getByRole('button', { name: `${ui.delete}: ${admin.name}` }).count()).toBe(0);
  await press('link', unitAdmins.create, theirs);
  await heading(unitAdmins.create, theirs);
  await press('link', ui.cancel, theirs);
  await heading(unitAdmins.title, theirs);
  expect(new URL(theirs.url()).pathname).toBe('/admin/outsourcing/admins');
});

test('and cannot change the own role', async () => {
  await press('link', `${ui.edit}: ${admin.name}`, theirs);
  await theirs.getByText(administrators.ownRole).waitFor();
  expect(await theirs.getByRole('radio').count()).toBe(0);
});

test('A unit with an administrator cannot be deleted; that is told before, with the way to them', async () => {
  await go(shell.nav.units);
  await press('button', `${ui.delete}: ${unitName}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(units.inUse.text).waitFor();
  await press('link', units.inUse.admins_other.replace('{{count, number}}', '1'));
  await heading(unitAdmins.title);
  await page.getByRole('rowheader', { name: admin.name }).waitFor();
});

test('A role that is lowered is in force at once on the page that the other one has open', async () => {
  await theirs.goto('/admin/outsourcing/admins/create');
  await type(administrators.name, '追加', theirs);
  await type(administrators.email, 'too-late@example.com', theirs);
  await type(administrators.password, demoPassword, theirs);
  await press('button', ui.toConfirm, theirs);
  await heading(unitAdmins.confirm, theirs);

  await press('link', `${ui.edit}: ${admin.name}`);
  await heading(named(unitAdmins.editOf, admin.name));
  await focus('radio', administrators.roles.unitadmin);
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.getByRole('radio', { name: administrators.roles.noadmin }).isChecked())
    .toBe(true);
  await press('button', ui.toConfirm);
  await press('button', ui.save);
  await heading(unitAdmins.complete);

  await press('button', ui.create, theirs);
  await heading(shell.forbiddenTitle, theirs);
  const navigation = theirs.getByRole('navigation', { name: shell.navigation });
  await navigation.getByRole('link', { name: shell.nav.unitAdmins }).waitFor({ state: 'detached' });
  await go(shell.nav.partners, theirs);
  await heading(partners.title, theirs);
});

test('Who is deleted is signed out at once, and the empty unit can be deleted then', async () => {
  await press('link', unitAdmins.toList);
  await press('button', `${ui.delete}: ${admin.name}`);
  await page.getByRole('dialog').getByText(admin.name).waitFor();
  await press('button', ui.delete);
  await page.getByRole('rowheader', { name: admin.name }).waitFor({ state: 'detached' });
  await page.getByText(unitAdmins.emptyTitle).waitFor();

  await theirs.reload();
  await theirs.waitForURL('**/admin/login**');

  await go(shell.nav.units);
  await press('button', `${ui.delete}: ${unitName}`);
  await page.getByRole('dialog').getByText(named(units.deleteOne, unitName)).waitFor();
  await press('button', ui.delete);
  await page.getByRole('rowheader', { name: unitName }).waitFor({ state: 'detached' });
});

test('A platform administrator is made with the role that was chosen, and deleted again', async () => {
  await go(shell.nav.platformAdmins);
  await heading(platformAdmins.title);
  // The only one is oneself, whom nobody deletes.
  await page.getByRole('rowheader', { name: ui.self }).waitFor();
  await press('link', platformAdmins.create);
  await type(administrators.name, '総務 花');
  await type(administrators.email, 'somu@example.com');
  await type(administrators.password, demoPassword);
  await focus('radio', administrators.roles.noadmin);
  await page.keyboard.press('ArrowUp');
  await press('button', ui.toConfirm);
  await press('button', ui.create);
  await heading(platformAdmins.complete);
  await press('link', platformAdmins.toList);
  const row = page.getByRole('row').filter({ hasText: 'somu@example.com' });
  await row.getByText(administrators.roles.fileadmin).waitFor();
  const { body } = await send(portal, 'POST', '/v1/admin/login', {
    body: { email: 'somu@example.com', password: demoPassword },
  });
  expect(body.role).toBe(3);
  await press('button', `${ui.delete}: 総務 花`);
  await press('button', ui.delete);
  await row.waitFor({ state: 'detached' });
});
