import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { escapeXml, honest, type Keys, newKeys } from '@portal/testing/saml-provider';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { demoPassword, signInPartner, signOut } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

const { auth, sso, ssoSignIn, ui } = texts.ja;
/** The identity provider, which browsers go to; the portal only reads its metadata. */
let server: Server;
let provider: string;

let portal: Portal;
let browser: Browser;
let page: Page;
let keys: Keys;
/** Whom the provider says that the browser is. */
let person = 'partner@example.com';

beforeAll(async () => {
  [portal, browser, keys] = await Promise.all([startPortal(), sharedBrowser(), newKeys()]);
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  page = await visit();
  await signInPartner(page);
});
afterAll(async () => {
  await closePages(browser);
  server?.close();
  await portal?.remove();
});

async function visit(): Promise<Page> {
  const { page } = await openPage(browser, portal.url);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: portal.url });
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Signs whoever comes in at once, and sends them back with a form as providers do. */
function answer({ url: path = '' }: IncomingMessage, reply: ServerResponse): void {
  const url = new URL(path, provider);
  const request = url.searchParams.get('SAMLRequest');
  reply.setHeader('content-type', 'text/html; charset=utf-8');
  if (url.pathname !== '/sso' || request === null) {
    reply.end(`<h1>${url.pathname}</h1>`);
    return;
  }
  const asked = inflateRawSync(Buffer.from(request, 'base64')).toString();
  const [, requestId = ''] = /\bID="([^"]+)"/.exec(asked) ?? [];
  const [, audience = ''] = /Issuer[^>]*>([^<]+)</.exec(asked) ?? [];
  const acsUrl = `${portal.url}/v1/user/login/sso/acs`;
  const response = honest(
    {
      issuer: `${provider}/entity`,
      audience,
      acsUrl,
      requestId,
      now: Date.now(),
      nameId: person,
      attributes: { displayName: ['花子 山田'], groups: ['Sales', 'Elsewhere'] },
    },
    { keys },
  );
  const fields = {
    SAMLResponse: Buffer.from(response).toString('base64'),
    RelayState: url.searchParams.get('RelayState'),
  };
  const inputs = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`<input type="hidden" name="${name}" value="${escapeXml(value)}">`],
  );
  reply.end(`<form method="post" action="${acsUrl}">${inputs.join('')}</form>
    <script>document.forms[0].submit()</script>`);
}

const metadata = () => `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${provider}/entity">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
      <X509Certificate>${keys.certificate}</X509Certificate>
    </X509Data></KeyInfo></KeyDescriptor>
    <SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${provider}/slo"/>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${provider}/sso"/>
  </IDPSSODescriptor>
</EntityDescriptor>`;

const press = (name: string, on = page) => on.getByRole('button', { name, exact: true }).click();
const heading = (name: string, on = page) =>
  on.getByRole('heading', { level: 1, name, exact: true }).waitFor();

test('A company admin sets single sign-on up with a metadata file', async () => {
  await page.getByRole('navigation').getByRole('link', { name: sso.title }).click();
  await page.getByRole('heading', { name: sso.emptyTitle }).waitFor();
  await page.getByRole('link', { name: sso.create, exact: true }).click();
  await heading(sso.formTitle);
  await page.getByRole('radio', { name: sso.sources.file }).check();
  await page.locator('input[type=file]').setInputFiles({
    name: 'metadata.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(metadata()),
  });
  await page.getByRole('textbox', { name: sso.groupAttribute }).fill('groups');
  await press(ui.toConfirm);
  await heading(sso.confirm);
  await page.getByText(`${provider}/entity`, { exact: true }).waitFor();
  await press(ui.save);
  await heading(sso.complete);
  await page.getByRole('link', { name: sso.toIt }).click();
  await page.getByText(sso.on, { exact: true }).waitFor();

  // What is entered at the provider is copied by a button.
  await press(sso.copy.replace('{{name}}', sso.acsUrl));
  await page.getByText(ui.copied).first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${portal.url}/v1/user/login/sso/acs`,
  );
});

test('A test shows in its window, and on the page, who would sign in with which groups', async () => {
  person = 'hanako@example.com';
  const opening = page.waitForEvent('popup');
  await press(sso.test.button);
  const popup = await opening;
  for (const on of [popup, page]) {
    await on.getByText(sso.test.accepted).waitFor();
    await on.getByText('花子 山田').first().waitFor();
    await on.getByText(sso.test.unknownGroup.replace('{{name}}', 'Elsewhere')).waitFor();
  }
  // The click may end with the window that it closes.
  await Promise.all([
    popup.waitForEvent('close'),
    popup
      .getByRole('button', { name: sso.test.close })
      .click()
      .catch(() => undefined),
  ]);

  // Whoever it was has not been added.
  person = 'nobody-yet@example.com';
  const again = page.waitForEvent('popup');
  await press(sso.test.again);
  await page.getByText(sso.test.new).waitFor();
  await (await again).close();
  await page.goto('/partner/users?q=nobody-yet');
  await page.getByText(ui.noMatchTitle).waitFor();
});

test('A token for provisioning is shown once, opens SCIM, and is over once it is revoked', async () => {
  await page.goto('/partner/sso');
  await press(sso.tokens.create);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Entra ID');
  await dialog.getByRole('button', { name: sso.tokens.create }).click();
  await dialog.getByRole('button', { name: sso.tokens.copy }).click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect(await dialog.locator('code').innerText()).toBe(token);
  await dialog.getByRole('button', { name: sso.tokens.done }).click();
  await page.getByRole('row').filter({ hasText: 'Entra ID' }).waitFor();
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'Entra ID' }).waitFor();
  expect(await page.content()).not.toContain(token);

  await press(`${sso.tokens.revoke}: Entra ID`);
  await dialog.getByRole('button', { name: sso.tokens.revoke, exact: true }).click();
  await page.getByText(sso.tokens.revoked.replace('{{name}}', 'Entra ID')).waitFor();
});

test('A company admin signs in by single sign-on, to the page that was wanted, and out at the provider too', async () => {
  person = 'partner@example.com';
  const other = await visit();
  await other.goto('/partner/groups');
  await other.getByRole('textbox', { name: auth.partnerCode }).fill('1000');
  await press(auth.withSso, other);
  await heading(texts.ja.groups.title, other);
  expect(other.url()).not.toContain('code=');
  await signOut(other);
  await other.waitForURL(`${provider}/slo**`);
  await other.context().close();
});

test('Who may not use the portal is told so in words', async () => {
  person = 'hanako@example.com';
  const other = await visit();
  await other.goto('/partner/login/?partner_code=1000');
  await press(auth.withSso, other);
  await other.getByText(ssoSignIn.reasons.E40301).waitFor();
  expect(new URL(other.url()).search).toBe('?partner_code=1000');
  person = 'partner@example.com';
  await other.context().close();
});

test('Where single sign-on is all there is, a password is refused and the way shown; company admins keep theirs', async () => {
  await page.goto('/partner/sso/edit');
  await page.getByRole('checkbox', { name: sso.ssoOnly }).check();
  await page.getByText(sso.ssoOnlyWarning).waitFor();
  await press(ui.toConfirm);
  await press(ui.save);
  await heading(sso.complete);

  const other = await visit();
  await other.goto('/partner/login/?partner_code=1000');
  const refused = other.getByText(auth.tryOnlySso);
  await expect
    .poll(async () => {
      await other.locator('input[autocomplete=username]').fill('pusher');
      await other.locator('input[autocomplete=current-password]').fill(demoPassword);
      await other.locator('form button[type=submit]').click();
      await refused.waitFor({ timeout: 2000 }).catch(() => undefined);
      return refused.count();
    })
    .toBe(1);
  await other.context().close();
  const admins = await visit();
  await signInPartner(admins);
  await admins.context().close();
});
