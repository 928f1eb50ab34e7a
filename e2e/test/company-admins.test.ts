import { readFile } from 'node:fs/promises';
import { demoPassword } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mailsTo, newestLink } from '../support/mailbox.ts';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { companyAdmins, shell, ui, users } = texts.ja;
const portal = portalForSpec();
let page: Page;

beforeAll(async () => {
  page = await portal.open();
  // Partner 2: the other specs count the people of partner 1.
  await signInPartner(page, 'second@example.com', { code: '2000' });
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const named = (name: string) => page.getByRole('row').filter({ hasText: name });

test('An admin finds the company admins in the menu and makes another one, who is a user too', async () => {
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.companyAdmins }).click();
  await heading(companyAdmins.title);
  await page.getByRole('link', { name: companyAdmins.create }).click();
  await page.getByRole('textbox', { name: companyAdmins.name }).fill('Chief');
  await page.getByRole('textbox', { name: companyAdmins.email }).fill('chief@example.com');
  await page.getByRole('checkbox', { name: companyAdmins.createUserFlag }).check();
  await press(ui.toConfirm);
  await heading(companyAdmins.confirm);
  await page.getByText(companyAdmins.passwordByMail).waitFor();
  await page.getByRole('term').filter({ hasText: companyAdmins.userColumn }).waitFor();
  // Twice, as many people do: it is made once.
  await page.getByRole('button', { name: ui.create, exact: true }).dblclick();
  await heading(companyAdmins.complete);
  await page.getByText(companyAdmins.created.replace('{{name}}', 'Chief')).waitFor();
  await page.getByText(companyAdmins.passwordMailed).waitFor();
  await page.getByText(companyAdmins.madeUser).waitFor();
  await page.getByRole('link', { name: companyAdmins.toRecord }).click();
  await heading(companyAdmins.editOf.replace('{{name}}', 'Chief'));
  await page.waitForFunction(
    (name) => [...document.querySelectorAll('input')].some(({ value }) => value === name),
    'Chief',
  );
});

test('The new admin chooses a password by the link of the mail, and enters the portal', async () => {
  const theirs = await portal.open();
  await theirs.goto(await newestLink(page, 'chief@example.com'));
  const fields = theirs.locator('input[autocomplete=new-password]');
  await fields.first().fill(demoPassword);
  await fields.last().fill(demoPassword);
  await theirs.locator('form button[type=submit]').click();
  await theirs.waitForURL((url) => url.pathname.includes('reset-complete'));
  await signInPartner(theirs, 'chief@example.com', { code: '2000' });
  await theirs.goto('/partner/admins');
  await theirs.getByText(ui.self).waitFor();
  await theirs.context().close();
});

test('Missing fields are listed in a summary that is visible and has the focus', async () => {
  await page.goto('/partner/admins/create');
  await page.setViewportSize({ width: 390, height: 500 });
  await press(ui.toConfirm);
  const summary = page.getByRole('alert');
  await summary.getByText(companyAdmins.email).waitFor();
  await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await summary.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('A weak password is refused at its field, and what was typed is kept', async () => {
  await page.goto('/partner/admins');
  await page.getByRole('link', { name: 'Chief', exact: true }).click();
  await heading(companyAdmins.editOf.replace('{{name}}', 'Chief'));
  await page.getByRole('textbox', { name: companyAdmins.name }).fill('Chief of staff');
  const password = page.locator('input[autocomplete=new-password]');
  await password.fill('onlyletters');
  await press(ui.toConfirm);
  await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true');
  await password.fill('');
  await press(ui.toConfirm);
  await heading(companyAdmins.confirm);
  await page.getByText('Chief of staff').waitFor();
  await page.getByText(companyAdmins.passwordKept).waitFor();
  await press(ui.save);
  await heading(companyAdmins.complete);
});

test('admins.csv holds them', async () => {
  await page.goto('/partner/admins');
  const [download] = await Promise.all([page.waitForEvent('download'), press(ui.csv)]);
  expect(download.suggestedFilename()).toBe('admins.csv');
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toMatch(/^\uFEFFid,name,email,login_user_id,create_user_flag,/);
  expect(csv).toContain('Chief of staff,chief@example.com,,1,');
});

test("A mail to choose a password is sent from a user's page after a question", async () => {
  const known = (await mailsTo(page, 'chief@example.com')).length;
  await page.goto('/partner/users');
  await page.getByRole('link', { name: 'Chief of staff', exact: true }).click();
  await press(users.passwordMail.send);
  await page.getByRole('dialog').getByText('chief@example.com').waitFor();
  await press(users.passwordMail.confirm);
  await page.getByText(users.passwordMail.sent).first().waitFor();
  expect(await newestLink(page, 'chief@example.com', known)).toContain('/partner/password/reset?');
});

test('For a user without an address no mail is offered', async () => {
  await page.goto('/partner/users');
  await page.getByRole('link', { name: 'Crew 1', exact: true }).click();
  await page.getByRole('button', { name: users.delete, exact: true }).waitFor();
  expect(await page.getByRole('button', { name: users.passwordMail.send }).count()).toBe(0);
});

test('Users cannot delete themselves; others are deleted after a confirmation that names them', async () => {
  await page.goto('/partner/admins');
  await named('Second Admin').waitFor();
  expect(await named('Second Admin').getByRole('checkbox').count()).toBe(0);
  await page.getByRole('checkbox', { name: ui.selectAll }).check();
  await page.getByRole('region').getByRole('button', { name: ui.delete, exact: true }).click();
  await page.getByRole('dialog').getByText('Chief of staff').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: ui.delete, exact: true }).click();
  await named('Chief of staff').waitFor({ state: 'detached' });
  await named('Second Admin').waitFor();
});
