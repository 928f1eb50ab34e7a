import type { Language } from '@portal/contracts';
import type { Page } from 'playwright-core';
import { texts } from './texts.ts';

export const demoPassword = 'Passw0rd-demo';

/** Signs in on the login page that is open, or opens the company login first. */
export async function signInPartner(
  page: Page,
  account = 'partner@example.com',
  options: { code?: string; password?: string } = {},
): Promise<void> {
  if (!page.url().includes('/partner/login')) {
    await page.goto(`/partner/login/?partner_code=${options.code ?? '1000'}`);
  }
  await page.locator('input[autocomplete=username]').fill(account);
  await page.locator('input[autocomplete=current-password]').fill(options.password ?? demoPassword);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/partner/login'));
}

export async function signInAdmin(
  page: Page,
  account = 'admin@example.com',
  password = demoPassword,
): Promise<void> {
  if (!page.url().includes('/admin/login')) await page.goto('/admin/login');
  await page.locator('input[autocomplete=username]').fill(account);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/admin/login'));
}

/** What is behind one's name, which stands last in the top bar. */
export async function openAccountMenu(page: Page): Promise<void> {
  await page.locator('header button[aria-expanded=false]').last().click();
}

export async function signOut(page: Page, t: (typeof texts)[Language] = texts.ja): Promise<void> {
  await openAccountMenu(page);
  await page.getByRole('button', { name: t.shell.logout, exact: true }).click();
}
