import { send, signIn } from '@portal/testing/http-client';
import { expect, test } from 'vitest';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { delivery, files, groups, home, palette, shell, ui, users } = texts.ja;
const portal = portalForSpec();

test('From the home to what it counts, and by the palette to a user and to an action', async () => {
  const page = await portal.open();
  await signInPartner(page);
  const token = await signIn(portal, '1000', 'partner@example.com');
  const { body } = await send(portal, 'GET', '/v1/partner/partners/1/users?per_page=1', { token });
  const figure = page.getByRole('link', { name: home.figures.total });
  await expect.poll(() => figure.locator('strong').textContent()).toBe(String(body.totalCount));
  await figure.click();
  await page.getByRole('heading', { level: 1, name: users.title }).waitFor();
  await page.getByText(ui.count.replace('{{count}}', String(body.totalCount)), { exact: true }).waitFor();

  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: palette.label });
  await field.waitFor();
  await page.keyboard.type('hanako');
  const option = page.getByRole('option', { name: /hanako@example.com/ });
  await option.waitFor();
  await expect.poll(() => option.getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/partner/users/detail/**');
  await field.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.type(groups.create);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/partner/groups/create');
  await page.getByRole('heading', { level: 1, name: groups.create }).waitFor();
});

test('A page begins at its top, and is where it was when one comes back', async () => {
  const page = await portal.open({ height: 500 });
  await signInPartner(page);
  await page.goto('/partner/users/detail/?id=2');
  const file = page.getByRole('link', { name: 'Product tour', exact: true }).last();
  await file.waitFor();
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await file.scrollIntoViewIfNeeded();
  const before = await scrolled();
  expect(before).toBeGreaterThan(300);
  await file.click();
  await page.getByRole('heading', { level: 1, name: 'Product tour' }).waitFor();
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Taro' }).waitFor();
  await expect.poll(scrolled).toBe(before);
});

test('The page of a file, whose sections come one after another, is where it was when one comes back', async () => {
  const page = await portal.open({ height: 500 });
  await signInPartner(page);
  await page.goto('/partner/files/detail?id=2');
  const last = page.getByRole('button', { name: files.delete, exact: true });
  await last.waitFor();
  const devices = page.getByRole('link', { name: delivery.all, exact: true });
  await devices.waitFor();
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await devices.scrollIntoViewIfNeeded();
  const before = await scrolled();
  expect(before).toBeGreaterThan(300);
  await devices.click();
  await page.waitForURL('**/partner/files/devices/**');
  await page.goBack();
  await last.waitFor();
  await expect.poll(scrolled).toBe(before);
});

test('On paper nothing stands over the page', async () => {
  const page = await portal.open();
  await signInPartner(page);
  const skip = page.getByRole('link', { name: shell.skip });
  await skip.waitFor();
  await page.emulateMedia({ media: 'print' });
  await skip.waitFor({ state: 'hidden' });
  await page.goto('/partner/users/create');
  const actions = page.locator('[data-action-bar]');
  await actions.waitFor();
  expect(await actions.evaluate((bar) => getComputedStyle(bar).position)).toBe('static');
});
