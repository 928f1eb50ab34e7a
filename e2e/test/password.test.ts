import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoPassword, signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { auth } = texts.ja;
const changed = 'Chang3d-demo';
const portal = portalForSpec();

const fresh = () => portal.open();

async function change(page: Page, from: string, to: string, again = to): Promise<void> {
  await page.getByLabel(auth.currentPassword).fill(from);
  await page.getByLabel(auth.newPassword, { exact: false }).first().fill(to);
  await page.getByLabel(auth.confirmPassword).fill(again);
  await page.getByRole('button', { name: auth.change, exact: true }).click();
}

const accounts = [
  {
    who: 'A company admin',
    area: 'partner',
    signIn: (page: Page, password?: string) =>
      signInPartner(page, 'entry@example.com', { code: '3000', ...(password ? { password } : {}) }),
  },
  {
    who: 'An administrator',
    area: 'admin',
    signIn: (page: Page, password?: string) => signInAdmin(page, 'unit@example.com', password),
  },
] as const;

test.for(accounts)('$who changes the password, which ends the other sessions', async ({ area, signIn }) => {
  const elsewhere = await fresh();
  await signIn(elsewhere);
  const page = await fresh();
  await signIn(page);
  await page.goto(`/${area}/password/update`);

  await change(page, demoPassword, changed, 'other');
  await page.getByRole('alert').waitFor();
  await change(page, 'Wr0ng-password', changed);
  await page.getByRole('alert').waitFor();
  await change(page, demoPassword, demoPassword);
  await page.getByRole('alert').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/${area}/password/update`);

  await change(page, demoPassword, changed);
  await page.waitForURL(`**/${area}/password/complete`);
  await page.getByRole('main').getByText(auth.changed).waitFor();

  await elsewhere.goto(area === 'admin' ? '/admin/partners' : '/partner/groups');
  await elsewhere.waitForURL(`**/${area}/login**`);
  await signIn(elsewhere, changed);

  // Restores the password for the specs that follow.
  await elsewhere.goto(`/${area}/password/update`);
  await change(elsewhere, changed, demoPassword);
  await elsewhere.waitForURL(`**/${area}/password/complete`);
});
