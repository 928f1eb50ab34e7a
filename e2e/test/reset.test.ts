import { send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mailsTo, newestLink } from '../support/mailbox.ts';
import { demoPassword, signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { auth, password } = texts.ja;
const chosen = 'Chosen-demo1';
const portal = portalForSpec();

const fresh = () => portal.open();

/** Asks for the mail from the login page, as somebody who has forgotten the password. @returns where its link leads */
async function ask(page: Page, login: string, email: string): Promise<string> {
  const known = (await mailsTo(page, email)).length;
  await page.goto(login);
  await page.getByRole('link', { name: auth.forgottenLink }).click();
  await page.getByRole('heading', { level: 1, name: password.forgotten }).waitFor();
  await page.getByLabel(auth.email).fill(email);
  await page.getByRole('button', { name: password.send }).click();
  await page.waitForURL('**/password/reset-mail-complete');
  return newestLink(page, email, known);
}

async function choose(page: Page, link: string, to: string): Promise<void> {
  await page.goto(link);
  const fields = page.locator('input[autocomplete=new-password]');
  await fields.first().fill(to);
  await fields.last().fill(to);
  // The token is not in the address any more.
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: password.set }).click();
}

const accounts = [
  {
    who: 'A company admin',
    area: 'partner',
    email: 'second@example.com',
    login: '/partner/login/?partner_code=2000',
    signIn: (page: Page, as: string) =>
      signInPartner(page, 'second@example.com', { code: '2000', password: as }),
  },
  {
    who: 'An administrator',
    area: 'admin',
    email: 'other-unit@example.com',
    login: '/admin/login',
    signIn: (page: Page, as: string) => signInAdmin(page, 'other-unit@example.com', as),
  },
] as const;

test.for(accounts)(
  '$who has forgotten the password: asks, reads the mail, sets another, signs in',
  async ({ area, email, login, signIn }) => {
    const elsewhere = await fresh();
    await signIn(elsewhere, demoPassword);
    const page = await fresh();

    const first = await ask(page, login, email);
    const second = await ask(page, login, email);
    await page.goto(first);
    await page.waitForURL(`**/${area}/password/reset-session-expired`);

    await choose(page, second, demoPassword);
    await page.getByRole('alert').waitFor();
    await choose(page, second, chosen);
    await page.waitForURL(`**/${area}/password/reset-complete`);
    await page.goto(second);
    await page.waitForURL(`**/${area}/password/reset-session-expired`);
    await page.goto(login);
    await signIn(page, chosen);

    // The other sessions have ended.
    await elsewhere.goto(area === 'admin' ? '/admin/partners' : '/partner/groups');
    await elsewhere.waitForURL(`**/${area}/login**`);

    // Restores the password for the tests that follow.
    await choose(elsewhere, await ask(elsewhere, login, email), demoPassword);
    await elsewhere.waitForURL(`**/${area}/password/reset-complete`);
  },
);

test('A new company admin who is no user is sent to the portal, a new user without a role to the app', async () => {
  const page = await fresh();
  const token = await signIn(portal, '1000', 'partner@example.com');
  const cases = [
    { path: '/v1/partner/partners/1/admins', text: password.completeMessage, links: 1 },
    { path: '/v1/partner/partners/1/users', text: password.completeForPlayer, links: 0 },
  ];
  for (const [n, { links, path, text }] of cases.entries()) {
    const email = `first-password-${n}@example.com`;
    const made = await send(portal, 'POST', path, { token, body: { name: 'First', email } });
    expect(made.status).toBe(201);
    try {
      await choose(page, await newestLink(page, email), chosen);
      await page.waitForURL('**/user/password/reset-complete');
      await page.getByRole('main').getByText(text).waitFor();
      // The message is there after a reload as well.
      await page.reload();
      await page.getByRole('main').getByText(text).waitFor();
      expect(await page.getByRole('main').getByRole('link', { name: password.toLogin }).count()).toBe(links);
    } finally {
      await send(portal, 'DELETE', path, { token, body: { ids: [made.body.id] } });
    }
  }
});

test('A new user chooses their first password', async () => {
  const page = await fresh();
  const email = 'newcomer@example.com';
  const signedIn = await page.request.post('/v2/partner/login', {
    data: { partner_code: '1000', email: 'partner@example.com', password: demoPassword },
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const users = '/v1/partner/partners/1/users';
  const made = await page.request.post(users, { headers, data: { name: 'Newcomer', email, role: 16 } });
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: number };
  try {
    const link = await newestLink(page, email);
    expect(link).toMatch(/^\/user\/password\/init\?reset_token=/);
    await choose(page, link, chosen);
    await page.waitForURL('**/user/password/reset-complete');
    await page.getByRole('main').getByText(password.completeForBoth).waitFor();
    await page.goto('/partner/login/?partner_code=1000');
    await signInPartner(page, email, { password: chosen });
  } finally {
    await page.request.delete(users, { headers, data: { ids: [id] } });
  }
});

test('The mailbox is a page in a browser, with the mails to read', async () => {
  const page = await fresh();
  await page.goto('/dev/mailbox?to=newcomer%40example.com');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const mail = page.frameLocator('iframe').first();
  expect(await mail.getByRole('link').getAttribute('href')).toContain('/user/password/init?reset_token=');
});
