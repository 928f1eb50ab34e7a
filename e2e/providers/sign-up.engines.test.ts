import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeycloakEngine, startKeycloak } from '@portal/testing/engines';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closePages, launchBrowser, openPage } from '../support/browser.ts';
import { violationsOf } from '../support/check-page.ts';
import { signOut } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import { fillInSignUp } from '../support/sign-up.ts';
import { texts } from '../support/texts.ts';

/** Sign-up and sign-in with an account at an identity provider: Keycloak, whose pages a browser goes through. */

const { auth, home, signUp: t } = texts.ja;
const realm = 'visitors';
const clientId = 'portal';
const secret = randomBytes(24).toString('hex');
const password = 'At-the-provider-42';
const withGoogle = auth.withProvider.replace('{{name}}', 'Google');
const signUpWithGoogle = auth.signUpWithProvider.replace('{{name}}', 'Google');

const person = (username: string, emailVerified = true) => ({
  username,
  email: `${username}@example.com`,
  emailVerified,
  firstName: 'Hanako',
  lastName: 'Yamada',
  password,
});

let folder: string;
let keycloak: KeycloakEngine;
let portal: Portal;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-keycloak-'));
  keycloak = await startKeycloak({ dataDir: folder });
  portal = await startPortal({
    GOOGLE_ISSUER: keycloak.issuerOf(realm),
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: secret,
  });
  await keycloak.makeRealm({
    realm,
    clients: [
      {
        clientId,
        secret,
        redirectUris: [`${portal.url}/v1/oauth2/callback`],
        consentRequired: true,
      },
    ],
    users: [person('newcomer'), person('wavering'), person('unproved', false), person('stranger')],
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await browser?.close();
  await portal?.remove();
  await keycloak?.remove();
});

/** A browser that neither the portal nor the provider knows. */
const visit = async () => (await openPage(browser, portal.url, { language: 'ja' })).page;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Signs in on the provider's page, which then asks whether the portal may know of it. */
async function signInAtProvider(page: Page, username: string): Promise<void> {
  await page.waitForURL(`${keycloak.issuerOf(realm)}/**`);
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
}
const consent = (page: Page) => page.locator('input[name=accept], button[name=accept]').click();
const refuseConsent = (page: Page) => page.locator('input[name=cancel], button[name=cancel]').click();

/** From the first page of the sign-up to its form, with the account at the provider. */
async function goToForm(page: Page, username: string): Promise<void> {
  await page.goto('/signup');
  await press(page, signUpWithGoogle);
  await signInAtProvider(page, username);
  await consent(page);
  await page.waitForURL(`${portal.url}/signup`);
  await page.getByText(t.free.proved).waitFor();
}

/** Fills in what the provider does not tell, and sends the form after the confirmation. */
async function submit(page: Page): Promise<void> {
  await fillInSignUp(page, texts.ja, { companyName: '山田商店', password });
  await press(page, t.next);
  await heading(page, t.free.confirm);
  await press(page, t.submit);
}

const emailField = (page: Page) => page.getByRole('textbox', { name: t.email });
const isHome = (page: Page) => page.getByRole('heading', { name: home.steps.title }).waitFor();

describe('Who has an account at a provider', () => {
  test('signs a free company up that is usable at once, signs out, and signs in again', async () => {
    const page = await visit();
    await page.goto('/partner/login/');
    await page.getByRole('link', { name: auth.toFree }).click();
    await goToForm(page, 'newcomer');
    expect(new URL(page.url()).hash).toBe('');
    expect(await emailField(page).inputValue()).toBe('newcomer@example.com');
    expect(await emailField(page).getAttribute('readonly')).not.toBeNull();
    expect(await violationsOf(page)).toEqual([]);
    await submit(page);
    await heading(page, t.free.complete);
    await page.getByText(t.free.usable).waitFor();

    // The provider knows this browser: it asks nothing more.
    await page.getByRole('link', { name: t.toLogin }).click();
    await press(page, withGoogle);
    await isHome(page);
    await signOut(page);
    await page.waitForURL('**/partner/login/**');

    const elsewhere = await visit();
    await elsewhere.goto('/partner/login/');
    await press(elsewhere, withGoogle);
    await signInAtProvider(elsewhere, 'newcomer');
    await isHome(elsewhere);
  });

  test('signs nobody else up with it', async () => {
    const page = await visit();
    await page.goto('/signup');
    await press(page, signUpWithGoogle);
    await signInAtProvider(page, 'newcomer');
    await page.getByText(t.free.proved).waitFor();
    await submit(page);
    await page.getByRole('alert').getByText(t.free.linked).waitFor();
    // To where it is known.
    await page.getByRole('link', { name: t.toLogin }).click();
    await press(page, withGoogle);
    await isHome(page);
  });

  test('whose address the provider has not proved is told so, and signs up without it', async () => {
    const page = await visit();
    await goToForm(page, 'unproved');
    await submit(page);
    await page.getByRole('alert').getByText(t.free.unproved).waitFor();
    await press(page, t.free.withoutAccount);
    await page.getByRole('button', { name: signUpWithGoogle }).waitFor();
    expect(await emailField(page).getAttribute('readonly')).toBeNull();
    await press(page, t.next);
    await heading(page, t.free.confirm);
    await press(page, t.submit);
    await heading(page, t.free.complete);
    await page.getByText(t.notArrived).waitFor();
  });

  test('and has no company here is told so at the sign-in', async () => {
    const page = await visit();
    await page.goto('/partner/login/');
    await press(page, withGoogle);
    await signInAtProvider(page, 'stranger');
    await consent(page);
    await page.getByRole('alert').getByText(auth.unknownIdentity).waitFor();
  });

  test('shows the access token alone, which the provider is asked about', async () => {
    const page = await visit();
    await page.goto('/partner/login/');
    const returned = page.waitForResponse((response) => response.url().includes('/v1/oauth2/callback'));
    await press(page, withGoogle);
    await signInAtProvider(page, 'newcomer');
    const { location = '' } = await (await returned).allHeaders();
    await isHome(page);
    const fragment = new URLSearchParams(new URL(location).hash.slice(1));
    const validate = async (accessToken: string) => {
      const data = { access_token: accessToken, expiry: Number(fragment.get('expiry')) };
      const reply = await page.request.post('/v1/oauth2/token/validate', { data });
      const body = (await reply.json()) as { code?: string; user?: { email: string } };
      return [reply.status(), body.code ?? body.user?.email];
    };
    const accessToken = fragment.get('access_token') ?? '';
    expect(await validate(accessToken)).toEqual([200, 'newcomer@example.com']);
    expect(await validate(`${accessToken}x`)).toEqual([401, 'E40102']);
  });

  test('leaves the provider without consent, sees so on the page where it began, and goes there again', async () => {
    const page = await visit();
    await page.goto('/partner/login/');
    await press(page, withGoogle);
    await signInAtProvider(page, 'wavering');
    await refuseConsent(page);
    await page.waitForURL(`${portal.url}/partner/login`);
    await page.getByRole('alert').getByText(auth.identityFailed).waitFor();

    await page.getByRole('link', { name: auth.toFree }).click();
    await press(page, signUpWithGoogle);
    // The provider has forgotten who refused.
    await signInAtProvider(page, 'wavering');
    await refuseConsent(page);
    await page.waitForURL(`${portal.url}/signup`);
    await page.getByRole('alert').getByText(auth.identityFailed).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await press(page, signUpWithGoogle);
    await signInAtProvider(page, 'wavering');
    await consent(page);
    await page.getByText(t.free.proved).waitFor();
    await submit(page);
    await page.getByText(t.free.usable).waitFor();
  });
});
