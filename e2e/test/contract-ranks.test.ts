import { errorCatalogue, languages } from '@portal/contracts';
import { demoPassword } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const portal = portalForSpec();

const navigation = (page: Page) => page.getByRole('navigation').first().getByRole('link').allTextContents();

describe.for(languages)('in %s', (language) => {
  const { auth, home, shell } = texts[language];
  const { nav } = shell;

  async function enter(account: string, code: string): Promise<Page> {
    const page = await portal.open({ language });
    await signInPartner(page, account, { code });
    await page.getByRole('heading', { level: 1, name: auth.menuTitle }).waitFor();
    return page;
  }

  test.for([
    ['partner@example.com', ['home', 'files', 'users', 'groups', 'summary', 'companyAdmins'], []],
    [
      'dev',
      ['home', 'files', 'users', 'groups'],
      ['/partner/admins', '/partner/summary', '/partner/users/create'],
    ],
    ['pusher', ['home', 'users', 'groups'], ['/partner/files', '/partner/admins/create', '/partner/summary']],
  ] as const)(
    '%s sees what the role allows, and links to the rest tell why not',
    async ([account, entries, hidden]) => {
      const page = await enter(account, '1000');
      const shown = await navigation(page);
      for (const entry of ['home', 'files', 'users', 'groups', 'summary', 'companyAdmins'] as const) {
        expect(shown.includes(nav[entry]), entry).toBe(entries.some((one) => one === entry));
      }
      // Those who may only read are not offered to change.
      await page.getByText(home.figures.total).waitFor();
      const toCreate = page.getByRole('link', { name: home.createUser });
      expect(await toCreate.count()).toBe(hidden.length > 0 ? 0 : 1);
      for (const path of hidden) {
        await page.goto(path);
        await page.getByRole('heading', { name: shell.forbiddenTitle }).waitFor();
        await page.getByText(errorCatalogue.E40301[language]).waitFor();
      }
    },
  );

  test('The admin of an entry contract who is signed in is led from the login to the menu', async () => {
    const page = await enter('entry@example.com', '3000');
    await page.goto('/partner/login/?partner_code=3000');
    await page.waitForURL('**/partner/menu');
    await page.getByText(auth.ranks.entry, { exact: true }).waitFor();
  });

  test('A company whose licence has expired gets a message about it at the login', async () => {
    const page = await portal.open({ language });
    await page.goto('/partner/login/?partner_code=4000');
    await page.locator('input[autocomplete=username]').fill('expired@example.com');
    await page.locator('input[autocomplete=current-password]').fill(demoPassword);
    await page.locator('form button[type=submit]').click();
    await page.getByRole('alert').getByText(errorCatalogue.E40302[language]).waitFor();
  });
});
