import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeycloakEngine, startKeycloak } from '@portal/testing/engines';
import { send, signIn } from '@portal/testing/http-client';
import { projectNode, root } from '@portal/testing/project';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePages, launchBrowser, openPage } from '../support/browser.ts';
import { signOut } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

/** Single sign-on at Keycloak, whose pages a browser goes through: in the portal, and for the example player. */

const { auth } = texts.ja;
const realm = 'staff';
const password = 'At-the-provider-42';
const person = (username: string, email: string, groups: readonly string[] = []) => ({
  ...{ username, email, emailVerified: true, firstName: `Ume ${username}`, lastName: 'Sato', password },
  groups: groups.map((name) => `/${name}`),
});

let folder: string;
let keycloak: KeycloakEngine;
let portal: Portal;
let browser: Browser;
let admin: string;
const players: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sso-'));
  keycloak = await startKeycloak({ dataDir: folder });
  portal = await startPortal();
  await keycloak.makeRealm({
    realm,
    clients: [],
    groups: [{ name: 'Sales' }, { name: 'Of nobody here' }],
    users: [
      person('newcomer', 'newcomer@example.com', ['Sales', 'Of nobody here']),
      person('boss', 'partner@example.com'),
      person('plain', 'hanako@example.com'),
    ],
  });
  // As the guide on the screen says: the provider reads the portal's metadata, and the portal the provider's.
  const ofPortal = await fetch(`${portal.url}/v1/user/login/sso/metadata?partner_code=1000`);
  await keycloak.addSamlClient(realm, await ofPortal.text());
  admin = await signIn(portal, '1000', 'partner@example.com');
  const body = { metadata_url: keycloak.samlMetadataOf(realm), group_attribute: 'groups' };
  const made = await send(portal, 'POST', '/v1/partner/partners/1/sso', { token: admin, body });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  browser = await launchBrowser();
});
afterAll(async () => {
  for (const player of players) player.kill();
  await closePages(browser);
  await browser?.close();
  await portal?.remove();
  await keycloak?.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** A browser that neither the portal nor the provider knows. */
const visit = async () => (await openPage(browser, portal.url, { language: 'ja' })).page;

async function signInAtProvider(page: Page, username: string): Promise<void> {
  await page.waitForURL(`${keycloak.issuerOf(realm)}/**`);
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
}

const goWithSso = async (page: Page) => {
  await page.goto('/partner/login/?partner_code=1000');
  await page.getByRole('button', { name: auth.withSso, exact: true }).click();
};
const isHome = (page: Page) => page.waitForURL(`${portal.url}/partner/menu`);

/** The command-line player, as `npm run player -- --code 1000 --sso` runs it. */
async function play(username: string): Promise<string> {
  const options = ['--url', portal.url, '--code', '1000', '--sso', '--no-browser', '--list', '--out', folder];
  const player = spawn(projectNode, ['examples/player/main.ts', ...options], { cwd: root });
  players.push(player);
  const chunks: Buffer[] = [];
  for (const stream of [player.stdout, player.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString();
  const address = await vi.waitFor(() => {
    const [found] = /^https?:\S+$/m.exec(output()) ?? [];
    expect(found).toBeDefined();
    return String(found);
  }, 20_000);
  const page = await visit();
  await page.goto(address);
  await signInAtProvider(page, username);
  await page.getByText('You can close this window.').waitFor();
  await vi.waitFor(() => expect(player.exitCode).not.toBeNull(), 30_000);
  return output();
}

test('A new person signs in on a player, and gets the files of the groups that the provider names', async () => {
  const output = await play('newcomer');
  expect(output).toContain('Signed in as Ume newcomer of Demo Corporation.');
  const { body } = await send(portal, 'GET', '/v1/partner/partners/1/users?login_id=newcomer@example.com', {
    token: admin,
  });
  expect(body).toMatchObject({
    users: [
      {
        email: 'newcomer@example.com',
        name: 'Ume newcomer',
        groups: [{ name: 'Sales' }],
        passwordSet: false,
      },
    ],
  });
  // Those of Sales and of everyone, and none that waits for its time.
  expect(output).toMatch(/^2 delivered:/m);
  // Who comes again is nobody new.
  expect(await play('newcomer')).toContain('Signed in as Ume newcomer');
});

test('A company admin enters the portal by it and leaves; nobody else does', async () => {
  const page = await visit();
  await goWithSso(page);
  await signInAtProvider(page, 'boss');
  await isHome(page);
  await signOut(page);
  await page.waitForURL('**/partner/login/**');

  const other = await visit();
  await goWithSso(other);
  await signInAtProvider(other, 'plain');
  await other.waitForURL(`${portal.url}/partner/login/**`);
  await other.getByRole('alert').waitFor();
});

test('A provider that changes its key unannounced is believed by its metadata', async () => {
  await keycloak.changeSigningKey(realm);
  // Nothing was doubted for five minutes, so the metadata is fetched out of turn.
  expect(await play('newcomer')).toContain('Signed in as Ume newcomer');
});

test('Whoever has left the company gets in no more: inactive by provisioning', async () => {
  const output = await play('newcomer');
  expect(output).toContain('Signed in');
  const made = await send(portal, 'POST', '/v1/partner/partners/1/sso/tokens', {
    token: admin,
    body: { name: 'Keycloak' },
  });
  const token = String(made.body['token']);
  const found = await send(
    portal,
    'GET',
    `/scim/v2/1/Users?filter=${encodeURIComponent('userName eq "newcomer@example.com"')}`,
    { token },
  );
  const [{ id }] = found.body['Resources'] as [{ id: string }];
  const operations = [{ op: 'replace', path: 'active', value: false }];
  const changed = await send(portal, 'PATCH', `/scim/v2/1/Users/${id}`, {
    token,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations },
  });
  expect(changed.status).toBeLessThan(300);
  expect(await play('newcomer')).toContain('Sign-in failed (E40301).');
});
