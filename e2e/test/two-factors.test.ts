import { type Language, languages } from '@portal/contracts';
import { send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { Authenticator } from '../support/authenticator.ts';
import { setDark, settled, violationsOf } from '../support/check-page.ts';
import { demoPassword, openAccountMenu, signInAdmin, signInPartner, signOut } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const portal = portalForSpec();
const ofCompany = '/v1/partner/partners/2';

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const path = (page: Page) => new URL(page.url()).pathname;
const companyAdmin = () => signIn(portal, '2000', 'second@example.com');
const codeField = (page: Page, t: (typeof texts)[Language]) => page.getByLabel(t.secondStep.code);

/** Nobody else's company admin of the second company. */
async function newAdmin(name: string): Promise<string> {
  const email = `${name}-${crypto.randomUUID()}@example.com`;
  const body = { name, email, password: demoPassword, create_user_flag: false };
  const { status } = await send(portal, 'POST', `${ofCompany}/admins`, { token: await companyAdmin(), body });
  expect(status).toBe(201);
  return email;
}

/** The first step, where a second is to follow. */
async function firstStep(page: Page, account: string): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(account);
  await page.locator('input[autocomplete=current-password]').fill(demoPassword);
  await page.locator('form button[type=submit]').click();
}

async function isAccessible(page: Page): Promise<void> {
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await setDark(page, true);
  expect(await violationsOf(page, ['color-contrast'])).toEqual([]);
  await setDark(page, false);
}

/** Goes through the set-up that is open. */
async function setUp(page: Page, t: (typeof texts)[Language], done: string) {
  await page.locator('main input[autocomplete=current-password]').fill(demoPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: t.account.setup.qrCode }).waitFor();
  await isAccessible(page);
  const authenticator = new Authenticator(await page.locator('main code').innerText());
  await page.getByLabel(t.account.setup.code).fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel(t.account.setup.code).fill(authenticator.code());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: t.account.codes.title }).waitFor();
  await isAccessible(page);
  const recoveryCodes = await page.locator('main ul li').allInnerTexts();
  expect(recoveryCodes).toHaveLength(10);
  const download = page.waitForEvent('download');
  await press(page, t.account.codes.download);
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
  await page.getByRole('checkbox', { name: t.account.codes.kept }).check();
  await press(page, done);
  return { authenticator, recoveryCodes };
}

describe.for(languages)('in %s', (language) => {
  const t = texts[language];
  const { account, auth, secondStep } = t;
  const codesLeft = (page: Page, left: number) =>
    page.getByText(account.twoFactor.codesLeft.replace('{{left}}', String(left))).waitFor();

  test('A company admin turns two factors on, signs in with them, and turns them off', async () => {
    const email = await newAdmin('factors');
    const { errors, page } = await portal.visit({ language });
    await signInPartner(page, email, { code: '2000' });
    await openAccountMenu(page);
    await isAccessible(page);
    await page.getByRole('link', { name: t.shell.accountPage }).click();
    await heading(page, account.title);
    await page.getByRole('link', { name: account.twoFactor.turnOn }).click();
    await heading(page, account.twoFactor.turnOn);
    const { authenticator, recoveryCodes } = await setUp(page, t, account.setup.done);
    await heading(page, account.title);
    await codesLeft(page, 10);
    await isAccessible(page);

    await signOut(page, t);
    await heading(page, auth.partnerLogin);
    await firstStep(page, email);
    await heading(page, secondStep.title);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('autocomplete')))
      .toBe('one-time-code');
    await isAccessible(page);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await isAccessible(page);
    await codeField(page, t).fill(authenticator.code());
    await page.keyboard.press('Enter');
    await heading(page, auth.menuTitle);

    await signOut(page, t);
    await heading(page, auth.partnerLogin);
    await firstStep(page, email);
    await press(page, secondStep.useRecovery);
    await page.getByLabel(secondStep.recovery, { exact: false }).fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await heading(page, auth.menuTitle);
    await page.goto('/partner/account');
    await codesLeft(page, 9);
    await press(page, account.twoFactor.turnOff);
    await page
      .getByRole('dialog')
      .getByLabel(account.anyCode)
      .fill(recoveryCodes[1] ?? '');
    await isAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: account.off.confirm, exact: true }).click();
    await page.getByRole('link', { name: account.twoFactor.turnOn }).waitFor();
    // The refused codes: a browser tells of every answer that is a failure.
    expect(errors.filter((error) => !error.startsWith('Failed to load resource'))).toEqual([]);
  });
});

const { account, auth, secondStep, shell, users } = texts.ja;

test('An administrator who is wrong five times begins again', async () => {
  const email = 'other-unit@example.com';
  const { body } = await send(portal, 'POST', '/v1/admin/login', { body: { email, password: demoPassword } });
  const token = String(body['accessToken']);
  const url = '/v1/admin/two_factor';
  const begun = await send(portal, 'POST', url, { token, body: { password: demoPassword } });
  const code = new Authenticator(String(begun.body['secret'])).code();
  const { body: enabled } = await send(portal, 'PUT', url, { token, body: { code } });
  const [first, second] = [enabled['recoveryCodes']].flat().map(String);
  try {
    const page = await portal.open();
    await page.goto('/admin/login');
    await firstStep(page, email);
    await heading(page, secondStep.title);
    for (let tries = 0; tries < 5; tries += 1) {
      const answer = page.waitForResponse((reply) => reply.url().endsWith('/second_factor'));
      await codeField(page, texts.ja).fill(String(tries));
      await page.keyboard.press('Enter');
      expect((await answer).status()).toBe(401);
      await page.getByRole('alert').waitFor();
    }
    await codeField(page, texts.ja).fill('123456');
    await page.keyboard.press('Enter');
    await heading(page, auth.adminLogin);
    await page.getByText(secondStep.over).waitFor();
    await expect.poll(() => page.locator('input[autocomplete=username]').inputValue()).toBe(email);

    await firstStep(page, email);
    await heading(page, secondStep.title);
    await press(page, secondStep.useRecovery);
    await page.getByLabel(secondStep.recovery).fill(first ?? '');
    await page.keyboard.press('Enter');
    await heading(page, auth.menuTitle);
  } finally {
    expect((await send(portal, 'DELETE', url, { token, body: { code: second } })).status).toBe(200);
  }
});

test('Where two factors are required, they are set up first, and then comes the page that was wanted', async () => {
  const email = await newAdmin('required');
  // Of before: who signs in then has to set up two factors.
  const token = await companyAdmin();
  const page = await portal.open();
  await signInPartner(page, 'second@example.com', { code: '2000' });
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.security }).click();
  await press(page, account.security.require.action);
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: account.security.require.action, exact: true }).click();
  try {
    await page.getByText(account.security.required.partner).waitFor();
    await isAccessible(page);

    const other = await portal.open({ width: 390, height: 844 });
    await other.goto('/partner/groups?name=Crew');
    await heading(other, auth.partnerLogin);
    await other.getByLabel(auth.partnerCode).fill('2000');
    await firstStep(other, email);
    await heading(other, account.required.title);
    await isAccessible(other);
    await other.goto('/partner/users');
    await heading(other, account.required.title);
    await other.goto('/partner/groups?name=Crew');
    await heading(other, account.required.title);
    await setUp(other, texts.ja, account.required.goOn);
    await other.getByRole('rowheader', { name: 'Crew' }).waitFor();
    expect(path(other)).toBe('/partner/groups');
    await other.goto('/partner/account');
    await other.getByText(account.twoFactor.required, { exact: true }).waitFor();
    expect(await other.getByRole('button', { name: account.twoFactor.turnOff }).count()).toBe(0);
  } finally {
    const body = { two_factor_required: false };
    const reply = await send(portal, 'PUT', `${ofCompany}/security_settings`, { token, body });
    expect(reply.status).toBe(200);
  }
});

test('Another company admin takes two factors away, and the password alone lets in again', async () => {
  const email = await newAdmin('lost');
  const page = await portal.open();
  await signInPartner(page, email, { code: '2000' });
  await page.goto('/partner/account/two-factor');
  await setUp(page, texts.ja, account.setup.done);
  await heading(page, account.title);

  const other = await portal.open();
  await signInPartner(other, 'second@example.com', { code: '2000' });
  const remove = other.getByRole('button', { name: `${users.twoFactor.remove}: lost` });
  await expect
    .poll(async () => {
      await other.goto(`/partner/admins?email=${encodeURIComponent(email)}`);
      await other.getByRole('rowheader', { name: 'lost' }).waitFor();
      return remove.count();
    })
    .toBe(1);
  await remove.click();
  await isAccessible(other);
  await other.getByRole('dialog').getByRole('button', { name: users.twoFactor.remove, exact: true }).click();
  await other.getByText(users.twoFactor.removed.replace('{{name}}', 'lost')).waitFor();

  await page.goto('/partner/groups');
  await page.waitForURL('**/partner/login/**');
  await signInPartner(page, email, { code: '2000' });
  await heading(page, texts.ja.groups.title);
});

test('A session elsewhere is ended from the account', async () => {
  const email = await newAdmin('sessions');
  const elsewhere = await portal.open();
  await signInPartner(elsewhere, email, { code: '2000' });
  const page = await portal.open();
  await signInPartner(page, email, { code: '2000' });
  await page.goto('/partner/account');
  const list = page.getByRole('region', { name: account.sessions.title });
  await list.getByText(account.sessions.current).waitFor();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  await list.getByRole('button', { name: `${account.sessions.end}: ` }).click();
  await isAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: account.sessions.end, exact: true }).click();
  await page.getByText(account.sessions.ended).waitFor();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await elsewhere.goto('/partner/groups');
  await elsewhere.waitForURL('**/partner/login/**');
});

test('An admin ends the sessions of a user from their page', async () => {
  const token = await companyAdmin();
  const body = {
    name: 'Ends',
    login_user_id: `ends-${crypto.randomUUID().slice(0, 8)}`,
    password: demoPassword,
    role: 16,
  };
  const created = await send(portal, 'POST', `${ofCompany}/users`, { token, body });
  expect(created.status).toBe(201);
  const elsewhere = await portal.open();
  await signInPartner(elsewhere, body.login_user_id, { code: '2000' });
  const page = await portal.open();
  await signInPartner(page, 'second@example.com', { code: '2000' });
  await page.goto(`/partner/users/detail/?id=${String(created.body['id'])}&pn=Second`);
  await press(page, users.sessions.end);
  await isAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: users.sessions.end, exact: true }).click();
  await page.getByText(users.sessions.ended.replace('{{name}}', 'Ends')).waitFor();
  await elsewhere.goto('/partner/files');
  await elsewhere.waitForURL('**/partner/login/**');
});

test('What was typed stays when a session with two factors is begun again in place', async () => {
  const email = await newAdmin('again');
  const page = await portal.open();
  let token: string | undefined;
  page.on('request', (request) => {
    token = request.headers()['authorization']?.slice('Bearer '.length) ?? token;
  });
  await signInPartner(page, email, { code: '2000' });
  await page.goto('/partner/account/two-factor');
  const { authenticator } = await setUp(page, texts.ja, account.setup.done);
  await heading(page, account.title);
  await page.goto('/partner/groups/create');
  const name = page.getByRole('textbox', { name: texts.ja.groups.name });
  await name.fill('Typed before');
  await press(page, texts.ja.ui.toConfirm);
  await heading(page, texts.ja.groups.confirm);
  expect((await send(portal, 'POST', '/v1/partner/logout', { token })).status).toBe(200);
  await press(page, texts.ja.ui.create);
  const dialog = page.getByRole('dialog', { name: auth.again.title });
  await dialog.locator('input[autocomplete=current-password]').fill(demoPassword);
  await page.keyboard.press('Enter');
  await dialog.locator('input[autocomplete=one-time-code]').waitFor();
  await isAccessible(page);
  await dialog.locator('input[autocomplete=one-time-code]').fill(authenticator.code());
  await page.keyboard.press('Enter');
  await heading(page, texts.ja.groups.complete);
});

test('Language and appearance follow to another browser', async () => {
  const email = await newAdmin('look');
  const page = await portal.open();
  await signInPartner(page, email, { code: '2000' });
  await openAccountMenu(page);
  const saved = page.waitForResponse(
    (reply) => reply.request().method() === 'PUT' && reply.url().endsWith('/preferences'),
  );
  await page.getByRole('radio', { name: shell.appearances.dark }).check();
  await page.getByRole('radio', { name: 'English' }).click();
  await heading(page, texts.en.auth.menuTitle);
  expect((await saved).status()).toBe(200);

  const other = await portal.open();
  await signInPartner(other, email, { code: '2000' });
  await heading(other, texts.en.auth.menuTitle);
  await expect.poll(() => other.locator('html').getAttribute('class')).toContain('dark');
  await signOut(other, texts.en);
  await heading(other, texts.en.auth.partnerLogin);
});

test('An administrator sees to the own account too', async () => {
  const page = await portal.open();
  await signInAdmin(page, 'other-unit@example.com');
  await openAccountMenu(page);
  await page.getByRole('link', { name: shell.accountPage }).click();
  await heading(page, account.title);
  await page.getByRole('link', { name: account.twoFactor.turnOn }).waitFor();
  await page.getByText(account.sessions.current).waitFor();
  expect(await page.getByRole('navigation').getByRole('link', { name: shell.nav.security }).count()).toBe(0);
});
