import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoPassword, signInAdmin, signInPartner, signOut } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { auth, shell } = texts.ja;
const portal = portalForSpec();

const fresh = () => portal.open();

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const path = (page: Page) => new URL(page.url()).pathname;

test('A company admin signs in with the code from the address', async () => {
  const page = await fresh();
  await page.goto('/partner/login/?partner_code=1000');
  await expect.poll(() => page.getByLabel(auth.partnerCode).inputValue()).toBe('1000');
  await signInPartner(page);
  await heading(page, auth.menuTitle);
  expect(path(page)).toBe('/partner/menu');
  await page.getByText('Demo Corporation').first().waitFor();
});

test('The code is kept as the default of the next sign-in', async () => {
  const page = await fresh();
  await signInPartner(page);
  await signOut(page);
  await heading(page, auth.partnerLogin);
  await page.goto('/partner/login/');
  await expect.poll(() => page.getByLabel(auth.partnerCode).inputValue()).toBe('1000');
});

test('A language that is chosen in one tab is that of the other, whose fields stay as they are', async () => {
  const page = await fresh();
  await page.goto('/partner/login/?partner_code=1000');
  await heading(page, auth.partnerLogin);
  const other = await page.context().newPage();
  await other.goto('/admin/login');
  await other.locator('input[autocomplete=username]').fill('admin@example.com');
  await page.getByRole('button', { name: shell.switchTo }).click();
  await heading(page, texts.en.auth.partnerLogin);
  await heading(other, texts.en.auth.adminLogin);
  expect(await other.locator('html').getAttribute('lang')).toBe('en');
  expect(await other.locator('input[autocomplete=username]').inputValue()).toBe('admin@example.com');
});

test('A platform administrator signs in and sees units and partners', async () => {
  const page = await fresh();
  await signInAdmin(page);
  await heading(page, auth.menuTitle);
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.partners }).click();
  await page.getByRole('rowheader').first().waitFor();
  await page.goto('/admin/partners?name=second');
  await page.getByRole('rowheader', { name: 'Second Company' }).waitFor();
});

test('A unit administrator sees the own unit and its partners alone', async () => {
  const page = await fresh();
  await signInAdmin(page, 'other-unit@example.com');
  await page.goto('/admin/partners');
  await page.getByRole('rowheader', { name: 'Second Company' }).waitFor();
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['Second Company']);
  await page.goto('/admin/outsourcing');
  await page.getByRole('rowheader', { name: 'Other unit' }).waitFor();
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['Other unit']);
});

test('A wrong password shows a message and keeps the page', async () => {
  const page = await fresh();
  await page.goto('/partner/login/?partner_code=1000');
  await page.getByLabel(auth.identifier).fill('partner@example.com');
  await page.locator('input[autocomplete=current-password]').fill('wrong-passw0rd');
  await page.getByRole('button', { name: auth.login, exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(path(page)).toBe('/partner/login/');
  // With the keyboard: a message must not move the focus away from the field.
  await page.locator('input[autocomplete=current-password]').fill('');
  await page.locator('input[autocomplete=current-password]').pressSequentially(demoPassword);
  await page.keyboard.press('Enter');
  await heading(page, auth.menuTitle);
});

test('A plain user is refused by the portal with the reason', async () => {
  const page = await fresh();
  await page.goto('/partner/login/?partner_code=1000');
  await page.getByLabel(auth.identifier).fill('taro');
  await page.locator('input[autocomplete=current-password]').fill(demoPassword);
  await page.getByRole('button', { name: auth.login, exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(path(page)).toBe('/partner/login/');
});

test('A deep link leads to the login and back to where it pointed', async () => {
  const page = await fresh();
  await page.goto('/partner/groups?name=Sal');
  await page.waitForURL('**/partner/login**');
  await page.getByLabel(auth.partnerCode).fill('1000');
  await signInPartner(page);
  await page.getByRole('rowheader', { name: 'Sales' }).waitFor();
  expect(path(page)).toBe('/partner/groups');

  const admin = await fresh();
  await admin.goto('/admin/partners?name=demo');
  await admin.waitForURL('**/admin/login');
  await signInAdmin(admin);
  await admin.getByRole('rowheader', { name: 'Demo Corporation' }).waitFor();
  expect(new URL(admin.url()).search).toBe('?name=demo');
});

test('Who is signed in does not see the login again', async () => {
  const page = await fresh();
  await signInPartner(page);
  await page.goto('/partner/login/');
  await heading(page, auth.menuTitle);
  await page.goto('/');
  await heading(page, auth.menuTitle);
});

test('The sessions of an administrator and of a partner exclude each other', async () => {
  const page = await fresh();
  await signInPartner(page);
  await page.goto('/admin/menu');
  await page.waitForURL('**/admin/login');
  await signInAdmin(page);
  await heading(page, auth.menuTitle);
  await page.goto('/partner/menu');
  await page.waitForURL('**/partner/login**');
});

test('A logout ends the session in every tab', async () => {
  const page = await fresh();
  await signInPartner(page);
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.groups }).click();
  await page.getByRole('rowheader', { name: 'Sales' }).waitFor();
  const other = await page.context().newPage();
  await other.goto('/partner/groups');
  await other.getByRole('rowheader', { name: 'Sales' }).waitFor();
  await signOut(page);
  await heading(page, auth.partnerLogin);
  await other.waitForURL('**/partner/login**');
  await page.goBack();
  await heading(page, auth.partnerLogin);
});

test('The language switches at once, everywhere, and stays', async () => {
  const page = await fresh();
  await page.goto('/partner/login/?partner_code=1000');
  await page.getByRole('button', { name: shell.switchTo }).click();
  await heading(page, texts.en.auth.partnerLogin);
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
  await page.getByLabel(texts.en.auth.identifier).fill('nobody@example.com');
  await page.locator('input[autocomplete=current-password]').fill(demoPassword);
  await page.getByRole('button', { name: texts.en.auth.login, exact: true }).click();
  await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/^[\x20-\x7E\s“”’]+$/);
  await page.reload();
  await heading(page, texts.en.auth.partnerLogin);
});

test('A revoked session leads to the login with the reason', async () => {
  const page = await fresh();
  await signInPartner(page, 'second@example.com', { code: '2000' });
  await page.evaluate(() => localStorage.setItem('portal.partnerToken', 'x.y'));
  await page.goto('/partner/groups');
  await page.waitForURL('**/partner/login**');
  await page.getByText(auth.expired).waitFor();
});
