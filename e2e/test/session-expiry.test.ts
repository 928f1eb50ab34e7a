import { languages } from '@portal/contracts';
import { demoPassword, send } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { setDark, settled, violationsOf } from '../support/check-page.ts';
import { quietnessOf } from '../support/network.ts';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { auth, groups, ui } = texts.ja;
const second = 'second@example.com';
const overAnHour = 3_601_000;
const portal = portalForSpec();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const path = (page: Page) => new URL(page.url()).pathname;
const dialog = (page: Page) => page.getByRole('dialog', { name: auth.again.title });
const nameField = (page: Page) => page.getByRole('textbox', { name: groups.name });

async function signInAgain(page: Page, password = demoPassword): Promise<void> {
  await dialog(page).locator('input[autocomplete=current-password]').fill(password);
  await dialog(page).getByRole('button', { name: auth.login, exact: true }).click();
}

/** A page of a company admin whose session others can end; the token is what the browser sends. */
async function signedIn(): Promise<{ page: Page; revoke: () => Promise<void> }> {
  const page = await portal.open();
  let token: string | undefined;
  const isQuiet = quietnessOf(page);
  page.on('request', (request) => {
    token = request.headers()['authorization']?.slice('Bearer '.length) ?? token;
  });
  await signInPartner(page, second, { code: '2000' });
  await page.goto('/partner/groups');
  await page.getByRole('rowheader', { name: 'Crew' }).waitFor();
  const revoke = async () => {
    // What the page asks for by itself would find the end of the session first.
    await isQuiet();
    expect((await send(portal, 'POST', '/v1/partner/logout', { token })).status).toBe(200);
  };
  return { page, revoke };
}

test('A session that is ended in the middle of a form is begun again in place, and what was sent goes through once', async () => {
  const { page, revoke } = await signedIn();
  await page.getByRole('link', { name: groups.create }).click();
  await nameField(page).fill('Kept over the end');
  await press(page, ui.toConfirm);
  await heading(page, groups.confirm);
  await revoke();
  await press(page, ui.create);

  await dialog(page).getByText(second).waitFor();
  await dialog(page).getByText('2000').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await setDark(page, true);
  expect(await violationsOf(page, ['color-contrast'])).toEqual([]);
  await setDark(page, false);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await signInAgain(page, 'wrong-passw0rd');
  await dialog(page).getByRole('alert').waitFor();
  await signInAgain(page);
  await heading(page, groups.complete);
  expect(await dialog(page).count()).toBe(0);

  await page.goto('/partner/groups');
  await page.getByRole('rowheader', { name: 'Kept over the end' }).waitFor();
  await expect.poll(() => page.getByRole('rowheader', { name: 'Kept over the end' }).count()).toBe(1);
});

test('Who wants another account gets the normal login', async () => {
  const { page, revoke } = await signedIn();
  await page.goto('/partner/groups/create');
  await nameField(page).fill('Left behind');
  await press(page, ui.toConfirm);
  await revoke();
  await press(page, ui.create);
  await dialog(page).getByRole('button', { name: auth.again.otherAccount }).click();
  await heading(page, auth.partnerLogin);
  await page.getByText(auth.expired).waitFor();
  await page.getByLabel(auth.partnerCode).fill('1000');
  await signInPartner(page, 'partner@example.com');
  await page.goto('/partner/groups/create');
  expect(await nameField(page).inputValue()).toBe('');
});

test('When the hour is over, a form keeps what was typed; a page without leads to the login', async () => {
  const page = await portal.open();
  await page.clock.install();
  await signInPartner(page, second, { code: '2000' });
  await page.goto('/partner/groups/create');
  await nameField(page).fill('Still here');
  await page.clock.fastForward(overAnHour);
  await dialog(page).waitFor();
  await signInAgain(page);
  await dialog(page).waitFor({ state: 'detached' });
  expect(path(page)).toBe('/partner/groups/create');
  expect(await nameField(page).inputValue()).toBe('Still here');

  await nameField(page).fill('');
  await page.goto('/partner/groups');
  await page.getByRole('rowheader', { name: 'Crew' }).waitFor();
  await page.clock.fastForward(overAnHour);
  await heading(page, auth.partnerLogin);
  await page.getByText(auth.expired).waitFor();
});

test('The same in a second tab that has a form, while the first leads to the login', async () => {
  const list = await portal.open();
  await signInPartner(list, second, { code: '2000' });
  await list.goto('/partner/groups');
  await list.getByRole('rowheader', { name: 'Crew' }).waitFor();
  const form = await list.context().newPage();
  await form.goto('/partner/groups/create');
  await nameField(form).fill('In the other tab');
  await list.evaluate(() => localStorage.setItem('portal.partnerToken', 'x.y'));
  await list.reload();
  await list.waitForURL('**/partner/login**');
  // It takes over the stream of notices from the first, and so hears that the session is over.
  await signInAgain(form);
  await dialog(form).waitFor({ state: 'detached' });
  expect(await nameField(form).inputValue()).toBe('In the other tab');
  await press(form, ui.toConfirm);
  await press(form, ui.create);
  await heading(form, groups.complete);
});

test('An administrator signs in again in place too', async () => {
  const page = await portal.open();
  await page.clock.install();
  await signInAdmin(page);
  await page.goto('/admin/password/update');
  const current = page.locator('main input[autocomplete=current-password]');
  await current.fill('typed before');
  await page.clock.fastForward(overAnHour);
  await dialog(page).getByText('admin@example.com').waitFor();
  await signInAgain(page);
  await dialog(page).waitFor({ state: 'detached' });
  expect(await current.inputValue()).toBe('typed before');
});

describe.for(languages)('Who has done nothing until shortly before the end, in %s,', (language) => {
  const words = texts[language].auth;
  const warning = (page: Page) =>
    page.getByText(new RegExp(words.ending.replace('{{time}}', '\\d\\d:\\d\\d')));

  async function idle(before?: (page: Page) => Promise<void>): Promise<Page> {
    const page = await portal.open({ language });
    await page.clock.install();
    await signInPartner(page, second, { code: '2000' });
    await page.goto('/partner/groups/create');
    const field = page.getByRole('textbox', { name: texts[language].groups.name });
    await field.fill('Typed before');
    await before?.(page);
    await page.clock.fastForward(57 * 60_000);
    expect(await warning(page).count()).toBe(0);
    await page.clock.fastForward(61_000);
    await warning(page).waitFor();
    return page;
  }

  test('is warned without being disturbed, and stays with one press', async () => {
    const page = await idle();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    expect(await focused()).toBe('name');
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await setDark(page, true);
    expect(await violationsOf(page, ['color-contrast'])).toEqual([]);
    await setDark(page, false);
    const renewed = page.waitForResponse((reply) => reply.url().endsWith('/v2/oauth2/token'));
    await page.getByRole('button', { name: words.stay, exact: true }).click();
    expect((await renewed).status()).toBe(200);
    await warning(page).waitFor({ state: 'detached' });
    expect(await focused()).toBe('name');
    await page.clock.fastForward(20 * 60_000);
    expect(await page.getByRole('dialog', { name: words.again.title }).count()).toBe(0);
  });

  test('is warned over a dialog that is open', async () => {
    const { ui } = texts[language];
    const page = await idle(async (page) => {
      await page.getByRole('link', { name: ui.cancel }).click();
      await page.getByRole('dialog', { name: ui.leaveTitle }).waitFor();
    });
    const dialog = page.getByRole('dialog', { name: ui.leaveTitle });
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: words.stay, exact: true }).click();
    await warning(page).waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);
  });

  test('or stays by going on with the work', async () => {
    const page = await idle();
    const renewed = page.waitForResponse((reply) => reply.url().endsWith('/v2/oauth2/token'));
    await page.keyboard.press('End');
    expect((await renewed).status()).toBe(200);
    await warning(page).waitFor({ state: 'detached' });
  });

  test('or is asked to sign in again after it', async () => {
    const page = await idle();
    await page.clock.fastForward(2 * 60_000);
    await page.getByRole('dialog', { name: words.again.title }).waitFor();
    expect(await warning(page).count()).toBe(0);
  });

  test('shows a message when staying fails', async () => {
    const page = await idle();
    await page.route('**/v2/oauth2/token', (route) => route.abort());
    await page.getByRole('button', { name: words.stay, exact: true }).click();
    await page.getByRole('alert').waitFor();
    await warning(page).waitFor();
  });
});

test('While somebody works, the session is renewed before its end', async () => {
  const page = await portal.open();
  await page.clock.install();
  await signInPartner(page, second, { code: '2000' });
  await page.goto('/partner/groups/create');
  const renewed = page.waitForResponse((reply) => reply.url().endsWith('/v2/oauth2/token'));
  await page.clock.fastForward(40 * 60_000);
  await nameField(page).fill('Working');
  await nameField(page).press('End');
  await page.clock.fastForward(12 * 60_000);
  expect((await renewed).status()).toBe(200);
  // The answer is there; the page has read it a moment later.
  await (await renewed).finished();
  await page.clock.runFor(1_000);
  await page.clock.fastForward(20 * 60_000);
  expect(await dialog(page).count()).toBe(0);
  expect(path(page)).toBe('/partner/groups/create');
});
