import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '@portal/contracts';
import { downloadFile } from '@portal/example-player/download.ts';
import { connectPlayer } from '@portal/example-player/player.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../support/check-page.ts';
import { makePackage } from '../support/files.ts';
import { signInPartner } from '../support/people.ts';
import { fillInSignUp } from '../support/sign-up.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

/** From the first visit to the first file on a player, without an operator. */

const portal = portalForSpec();
const password = 'Orange-boat-42';
const withinMs = 180_000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sign-up-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The path of the link in the mail of the sign-up, once it is there. */
async function linkTo(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const reply = await page.request.get(`/dev/mailbox?to=${encodeURIComponent(email)}`);
        const { mails } = (await reply.json()) as { mails: { text: string }[] };
        link = /https?:\/\/\S+token=\S+/.exec(mails[0]?.text ?? '')?.[0];
        return link;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  const { pathname, search } = new URL(link ?? '');
  return pathname + search;
}

/** Fills in the form that is open, and sends it after the confirmation. */
async function signUp(page: Page, language: Language, kind: 'free' | 'trial', email: string): Promise<void> {
  const { signUp: t } = texts[language];
  await heading(page, t[kind].title);
  await fillInSignUp(page, texts[language], { email, companyName: 'Newcomer <b>Ltd</b>', password });
  expect(await violationsOf(page)).toEqual([]);
  await press(page, t.next);
  await heading(page, t[kind].confirm);
  await press(page, t.submit);
}

/** Adds a user who signs in to the player, by the first steps of the home. */
async function invite(page: Page, language: Language): Promise<void> {
  const { home, ui, users } = texts[language];
  await page.getByRole('link', { name: home.steps.people, exact: true }).click();
  await page.getByRole('textbox', { name: users.name }).fill('Jiro');
  await page.getByRole('radio', { name: users.loginUserId }).check();
  await page.getByRole('textbox', { name: users.loginUserId }).fill('jiro');
  await page.locator('input[type=password]').fill(password);
  await press(page, ui.toConfirm);
  await press(page, ui.create);
  await heading(page, users.complete);
}

/** Uploads a package for everyone, by the first steps of the home. */
async function deliver(page: Page, language: Language, path: string): Promise<void> {
  const { files, home, ui } = texts[language];
  await page.goto('/partner/menu');
  await page.getByRole('link', { name: home.steps.file, exact: true }).click();
  await page.getByLabel(files.file, { exact: true }).setInputFiles(path);
  await page.getByRole('radio', { name: files.assignPage.kinds.everyone }).check();
  await press(page, ui.toConfirm);
  await heading(page, files.confirm);
  await press(page, files.submitCreate);
  await heading(page, files.complete);
}

async function received(partnerCode: string, fileName: string): Promise<string | undefined> {
  const player = await connectPlayer({ url: portal.url, partnerCode, user: 'jiro', password, device: 'new' });
  const delivered = (await player.listFiles()).files.find((file) => file.fileName === fileName);
  if (!delivered) return undefined;
  const { path } = await downloadFile(
    await player.openFile(delivered.id),
    await mkdtemp(join(folder, 'to-')),
  );
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

const codeIn = async (page: Page) =>
  /\d{8}/.exec(await page.getByRole('main').getByRole('status').first().innerText())?.[0] ?? '';

test.each(['ja', 'en'] as const)(
  'A newcomer has a file on a player within three minutes of the first visit (%s)',
  async (language) => {
    const { auth, home, signUp: t } = texts[language];
    const email = `newcomer-${language}@example.com`;
    const chosen = await makePackage(folder, `first-${language}.uap`, 200_000);
    const page = await portal.open({ language });
    const begunAt = performance.now();
    await page.goto('/partner/login/');
    await page.getByRole('link', { name: auth.toTrial }).click();
    await page.waitForURL('**/trial');
    await signUp(page, language, 'trial', email);
    await heading(page, t.trial.complete);
    const partnerCode = await codeIn(page);
    expect(partnerCode).toMatch(/^\d{8}$/);

    // Before the link nobody gets in.
    await page.getByRole('link', { name: t.toLogin }).click();
    await page.locator('input[autocomplete=username]').fill(email);
    await page.locator('input[autocomplete=current-password]').fill(password);
    await page.locator('form button[type=submit]').click();
    await page.getByRole('alert').getByText(auth.wrongLogin).waitFor();

    const link = await linkTo(page, email);
    await page.goto(link);
    await page.getByText(t.activation.done).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: t.toLogin }).click();
    await page.waitForURL(`**/partner/login/?partner_code=${partnerCode}`);
    await signInPartner(page, email, { code: partnerCode, password });
    await page.getByRole('heading', { name: home.steps.title }).waitFor();

    await invite(page, language);
    await deliver(page, language, chosen.path);
    await expect.poll(() => received(partnerCode, chosen.fileName), { timeout: 20_000 }).toBe(chosen.sha256);
    expect(performance.now() - begunAt).toBeLessThan(withinMs);

    // The home knows what is done: a group alone is still to be made, and the user has signed in to the player.
    await page.goto('/partner/menu');
    for (const done of [home.steps.people, home.steps.file, home.steps.assignment]) {
      await page.getByText(done, { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: done, exact: true }).count()).toBe(0);
    }

    // The link works once.
    await page.goto(link);
    await page.getByText(t.activation.overMessage).waitFor();
  },
);

test('A newcomer chooses the password of a free company by the link, and signs in', async () => {
  const { auth, home, password: words } = texts.ja;
  const email = 'free-newcomer@example.com';
  const page = await portal.open();
  await page.goto('/partner/login/');
  await page.getByRole('link', { name: auth.toFree }).click();
  await signUp(page, 'ja', 'free', email);
  await heading(page, texts.ja.signUp.free.complete);
  const partnerCode = await codeIn(page);
  // As on another machine.
  await page.evaluate(() => localStorage.clear());
  const link = await linkTo(page, email);
  expect(link).toMatch(/^\/partner\/password\/init\?reset_token=/);
  await page.goto(link);
  await heading(page, words.init);
  await page.locator('input[type=password]').first().waitFor();
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password);
  await press(page, words.set);
  await heading(page, words.complete);
  await page.getByRole('link', { name: words.toLogin }).click();
  await page.waitForURL(`**/partner/login/?partner_code=${partnerCode}`);
  await signInPartner(page, email, { code: partnerCode, password });
  await page.getByRole('heading', { name: home.steps.title }).waitFor();
});

test('An address that has a trial gets no other, and the form says so at its field', async () => {
  const { signUp: t } = texts.ja;
  const page = await portal.open();
  await page.goto('/trial');
  await signUp(page, 'ja', 'trial', 'twice@example.com');
  await heading(page, t.trial.complete);
  await page.goto('/trial');
  await heading(page, t.trial.title);
  await signUp(page, 'ja', 'trial', 'Twice@example.com');
  await page.getByRole('alert').waitFor();
  await expect
    .poll(() => page.getByRole('textbox', { name: t.email }).getAttribute('aria-invalid'))
    .toBe('true');
});
