import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCatalogue, fieldMessages } from '@portal/contracts';
import { downloadFile } from '@portal/example-player/download.ts';
import { connectPlayer, type Player } from '@portal/example-player/player.ts';
import { send, signIn } from '@portal/testing/http-client';
import { decoded, type MailServer, startMailServer } from '@portal/testing/mail-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { localTime, makePackage, type TestPackage } from '../support/files.ts';
import { runningUrl } from '../support/host.ts';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

const {
  administrators,
  adminHome,
  auth,
  companyAdmins,
  files,
  partnerForm,
  partners,
  password,
  shell,
  tenantMenu,
  ui,
  unitAdmins,
  units,
  users,
} = texts.ja;

const day = 24 * 3_600_000;
const operator = { email: 'operator@portal.test', password: 'Passw0rd-operator' };
const unitAdmin = { name: '東 久美', email: 'higashi@unit.test', password: 'Passw0rd-of-unit' };
const admin = { name: '西 花子', email: 'nishi@company.test', password: 'Passw0rd-of-company' };
const unitName = '東ユニット';
const companyName = '西商店';

let portal: Portal;
let mails: MailServer;
let browser: Browser;
let folder: string;
let chosen: TestPackage;
/** The windows of the platform's administrator, of the unit's and of the company's. */
let page: Page;
let theirs: Page;
let company: Page;
/** What the unit's administrator was shown of the new company. */
let code: string;
let demo: { user: string; password: string };
let player: Player;
let playerToken: string;

const heading = (of: Page, name: string) =>
  of.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (of: Page, name: string) => of.getByRole('button', { name, exact: true }).click();
const follow = (of: Page, name: string) => of.getByRole('link', { name, exact: true }).first().click();
const fill = (of: Page, name: string, text: string) => of.getByRole('textbox', { name }).fill(text);
const named = (text: string, name: string) => text.replace('{{name}}', name);

/** What the player's own back end asks for of the user; the contract decides. */
const statement = () => send(portal, 'GET', '/v1/user/token', { token: playerToken });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
const connect = (device: string) => connectPlayer({ url: portal.url, partnerCode: code, device, ...demo });

/** Has the operator change one thing of the company's contract. */
async function change(edit: () => Promise<unknown>): Promise<void> {
  await page.goto('/admin/partners');
  await follow(page, companyName);
  await heading(page, companyName);
  await follow(page, tenantMenu.edit);
  await heading(page, named(partnerForm.editOf, companyName));
  await edit();
  await press(page, ui.toConfirm);
  await heading(page, partnerForm.confirm);
  await page.getByText(ui.changed).first().waitFor();
  await press(page, ui.save);
}

describe.skipIf(runningUrl)('From an empty portal on', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-operator-'));
    mails = await startMailServer();
    [portal, browser, chosen] = await Promise.all([
      startPortal({
        DEMO: '0',
        API_KEY: 'a-key-of-ones-own',
        ADMIN_EMAIL: operator.email,
        ADMIN_PASSWORD: operator.password,
        MAIL_URL: mails.url,
        RATE_LIMIT: 'on',
      }),
      sharedBrowser(),
      makePackage(folder, 'catalogue.uap', 300_000),
    ]);
    const windows = await Promise.all([1, 2, 3].map(() => openPage(browser, portal.url)));
    [page, theirs, company] = windows.map((window) => window.page) as [Page, Page, Page];
  });
  afterAll(async () => {
    await closePages(browser);
    await portal?.remove();
    await mails?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('The administrator of the settings makes a unit with its administrator', async () => {
    await signInAdmin(page, operator.email, operator.password);
    await heading(page, auth.menuTitle);
    await follow(page, adminHome.createUnit);
    await fill(page, units.name, unitName);
    await fill(page, units.allocatedLicense, '10');
    await press(page, ui.toConfirm);
    await press(page, ui.create);
    await heading(page, units.complete);
    await follow(page, units.addAdmin);
    await fill(page, administrators.name, unitAdmin.name);
    await fill(page, administrators.email, unitAdmin.email);
    await page.locator('input[autocomplete=new-password]').fill(unitAdmin.password);
    await press(page, ui.toConfirm);
    await press(page, ui.create);
    await heading(page, unitAdmins.complete);
  });

  test('That one makes a company with demo users, whose passwords are shown this once', async () => {
    await signInAdmin(theirs, unitAdmin.email, unitAdmin.password);
    await heading(theirs, auth.menuTitle);
    await follow(theirs, adminHome.createPartner);
    await fill(theirs, partnerForm.name, companyName);
    await theirs.getByRole('radio', { name: auth.ranks.enterprise }).check();
    await fill(theirs, partnerForm.licenseCount, '6');
    await theirs.getByRole('checkbox', { name: partnerForm.createDemoUsers }).check();
    await press(theirs, ui.toConfirm);
    await press(theirs, ui.create);
    await heading(theirs, partnerForm.complete);
    const codeShown = await theirs.getByText(partnerForm.codeIs.replace('{{code}}', '')).textContent();
    code = /\d{8}/.exec(codeShown ?? '')?.[0] ?? '';
    const row = theirs.getByRole('table', { name: partnerForm.demoUsers }).getByRole('row').nth(1);
    demo = {
      user: await row.getByRole('rowheader').innerText(),
      password: await row.getByRole('cell').innerText(),
    };
    expect(demo.user).toBe('demo1');
    await theirs.getByText(partnerForm.demoUsersOnce).waitFor();
    await theirs.reload();
    await theirs.getByText(partnerForm.demoUsersShown).waitFor();
    expect(await theirs.locator('main').innerText()).not.toContain(demo.password);
  });

  test('and its first admin, who gets the mail, chooses a password and signs in', async () => {
    await follow(theirs, partnerForm.createAdmin);
    await fill(theirs, companyAdmins.name, admin.name);
    await fill(theirs, companyAdmins.email, admin.email);
    await press(theirs, ui.toConfirm);
    await press(theirs, ui.create);
    await heading(theirs, companyAdmins.complete);
    await theirs.getByText(companyAdmins.passwordMailed).waitFor();

    const link = await vi.waitFor(
      () => {
        const mail = mails.taken.find(({ to }) => to.includes(admin.email));
        const [found] = /https?:\/\/\S+reset_token=[\w.-]+/.exec(decoded(mail?.raw ?? '')) ?? [];
        expect(found).toBeDefined();
        return new URL(found ?? '');
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(link.origin).toBe(portal.url);
    await company.goto(link.href);
    const fields = company.locator('input[autocomplete=new-password]');
    await fields.first().fill(admin.password);
    await fields.last().fill(admin.password);
    await press(company, password.set);
    await heading(company, password.complete);
    await follow(company, password.toLogin);
    await company.waitForURL('**/partner/login**');
    expect(new URL(company.url()).searchParams.get('partner_code')).toBe(code);
    await signInPartner(company, admin.email, { password: admin.password });
    await heading(company, auth.menuTitle);
    await company.getByText(code, { exact: true }).waitFor();
  });

  test('The admin delivers a file, and a demo user gets its bytes', async () => {
    await company.goto('/partner/files/create');
    await company.getByLabel(files.file, { exact: true }).setInputFiles(chosen.path);
    await company.getByRole('radio', { name: files.assignPage.kinds.everyone }).check();
    await press(company, ui.toConfirm);
    await heading(company, files.confirm);
    await press(company, files.submitCreate);
    await heading(company, files.complete);

    player = await connect('one');
    playerToken = await signIn(portal, code, demo.user, 'one', demo.password);
    await expect
      .poll(async () => (await player.listFiles()).files.map(({ fileName }) => fileName))
      .toEqual([chosen.fileName]);
    const [delivered] = (await player.listFiles()).files;
    const { path } = await downloadFile(await player.openFile(delivered?.id ?? 0), folder);
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    expect(sha256).toBe(chosen.sha256);
    expect((await statement()).status).toBe(200);
  });

  test('Half of the licences: the admin can make no further user, and there cannot be fewer than are in use', async () => {
    await change(() => fill(page, partnerForm.licenseCount, '3'));
    await heading(page, partnerForm.complete);

    await company.goto('/partner/users/create');
    await fill(company, users.name, '北 一郎');
    await company.getByRole('radio', { name: users.loginUserId }).check();
    await fill(company, users.loginUserId, 'kita');
    await company.locator('input[type=password]').fill('Passw0rd-of-kita');
    await press(company, ui.toConfirm);
    await press(company, ui.create);
    await company.getByText(errorCatalogue.E40008.ja).first().waitFor();
    await follow(company, ui.cancel);
    await press(company, ui.leave);
    await heading(company, users.title);

    await change(() => fill(page, partnerForm.licenseCount, '2'));
    const field = page.getByRole('textbox', { name: partnerForm.licenseCount });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('alert').getByText(errorCatalogue.E40023.ja).first().waitFor();
    await follow(page, ui.cancel);
    await press(page, ui.leave);
    await heading(page, companyName);
  });

  test('Another rank: the portal shows it, and what only the old one had is refused to the player', async () => {
    await change(() => page.getByRole('radio', { name: auth.ranks.standard }).check());
    await heading(page, partnerForm.complete);

    await company.getByRole('link', { name: shell.nav.home, exact: true }).first().click();
    await company.getByRole('definition').getByText(auth.ranks.standard, { exact: true }).waitFor();
    await expect.poll(async () => (await statement()).body.code).toBe('E40304');
    expect((await player.listFiles()).files).toHaveLength(1);
  });

  test('Another end of the contract: its year is typed over the one before, and a part of it is no end', async () => {
    await page.goto('/admin/partners');
    await follow(page, companyName);
    await follow(page, tenantMenu.edit);
    await heading(page, named(partnerForm.editOf, companyName));
    const end = page.locator('input[type=datetime-local]');
    await end.fill('2030-03-03T09:30');
    await end.focus();
    // To the year, which stands last of the date in the language of this browser.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2031');
    await expect.poll(() => end.inputValue()).toBe('2031-03-03T09:30');
    await page.keyboard.press('Backspace');
    await expect.poll(() => end.inputValue()).toBe('');
    await press(page, ui.toConfirm);
    await page.getByRole('alert').getByText(fieldMessages.unfinishedTime.ja).first().waitFor();
    await follow(page, ui.cancel);
    await heading(page, companyName);
  });

  test('The end of the contract: all are signed out with the reason, and nobody signs in again', async () => {
    await change(() => page.locator('input[type=datetime-local]').fill(localTime(-2 * day)));
    await heading(page, partnerForm.complete);

    await expect.poll(() => refusalOf(player.listFiles())).toBe('E40302');
    expect(await refusalOf(connect('two'))).toBe('E40302');
    await company.getByRole('link', { name: shell.nav.groups, exact: true }).first().click();
    await company.waitForURL('**/partner/login**');
    await company.getByRole('note').getByText(errorCatalogue.E40302.ja).waitFor();
    await company.locator('input[autocomplete=username]').fill(admin.email);
    await company.locator('input[autocomplete=current-password]').fill(admin.password);
    await company.locator('form button[type=submit]').click();
    await company.getByRole('alert').getByText(errorCatalogue.E40302.ja).waitFor();
    expect(new URL(company.url()).pathname).toMatch(/^\/partner\/login/);

    await page.goto('/admin/partners');
    await page.getByRole('row', { name: companyName }).getByText(partners.over).waitFor();
  });
});
