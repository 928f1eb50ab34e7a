import { errorCatalogue } from '@portal/contracts';
import { send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { signInPartner, signOut } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { auth, groups, shell, ui } = texts.ja;
const portal = portalForSpec();
let page: Page;

beforeEach(async () => {
  page = await portal.open();
  await signInPartner(page, 'second@example.com', { code: '2000' });
});

const path = () => new URL(page.url()).pathname;
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('A password change with something typed asks before a link and before the tab are followed and closed', async () => {
  await page.goto('/partner/password/update');
  await page.locator('input[autocomplete=current-password]').fill('Typed-1234');
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.groups }).click();
  const question = page.getByRole('dialog', { name: ui.leaveTitle });
  await question.getByRole('button', { name: ui.stay }).click();
  expect(path()).toBe('/partner/password/update');
  await expect
    .poll(() => page.locator('input[autocomplete=current-password]').inputValue())
    .toBe('Typed-1234');

  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.groups }).click();
  await question.getByRole('button', { name: ui.leave }).click();
  await heading(groups.title);
});

test('Without a network a save fails and says so, and goes through once when there is one again', async () => {
  await page.goto('/partner/groups/create');
  await page.getByRole('textbox', { name: groups.name }).fill('Sent late');
  await press(ui.toConfirm);
  await heading(groups.confirm);
  await page.context().setOffline(true);
  await press(ui.create);
  await page.getByText('サーバーでエラーが発生しました。').waitFor();
  await page.context().setOffline(false);
  await press(ui.toConfirm);
  await heading(groups.confirm);
  await page.getByRole('button', { name: ui.create, exact: true }).dblclick();
  await heading(groups.complete);
  await page.getByRole('link', { name: groups.toRecord }).click();
  await page.getByRole('heading', { level: 1, name: 'Sent late' }).waitFor();
});

test('A deletion that is under way can be neither cancelled nor begun again', async () => {
  await page.goto('/partner/groups/create');
  await page.getByRole('textbox', { name: groups.name }).fill('Soon gone');
  await press(ui.toConfirm);
  await press(ui.create);
  await page.getByRole('link', { name: groups.toList }).click();
  let deletions = 0;
  let go = () => {};
  const answer = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/groups/*', async (route) => {
    if (route.request().method() === 'DELETE') deletions += 1;
    await answer;
    await route.continue();
  });
  await press(ui.actionOn.replace('{{action}}', ui.delete).replace('{{name}}', 'Soon gone'));
  const dialog = page.getByRole('dialog', { name: groups.deleteTitle });
  await dialog.getByRole('button', { name: ui.delete, exact: true }).dblclick();
  await dialog.getByRole('button', { name: ui.cancel, disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: ui.cancel, disabled: true }).waitFor();
  go();
  await page.getByText(groups.deleted_other.replace('{{count}}', '1')).waitFor();
  expect(await dialog.count()).toBe(0);
  expect(deletions).toBe(1);
});

test('The drawer of a narrow screen leads the focus to the page that was chosen', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/partner/menu');
  await heading(auth.menuTitle);
  await press(shell.openNavigation);
  await page.getByRole('dialog').getByRole('link', { name: shell.nav.groups }).click();
  await heading(groups.title);
  await page.waitForFunction(() => document.activeElement?.id === 'main');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('A logout asks before something typed is lost', async () => {
  await page.goto('/partner/groups/create');
  await page.getByRole('textbox', { name: groups.name }).fill('Typed');
  await signOut(page);
  const question = page.getByRole('dialog', { name: ui.leaveTitle });
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('textbox', { name: groups.name }).inputValue()).toBe('Typed');
  await signOut(page);
  await question.getByRole('button', { name: shell.discardAndLogout }).click();
  await heading(auth.partnerLogin);
});

test('A group that another admin deletes while it is edited shows a message and a link to the list', async () => {
  const token = await signIn(portal, '2000', 'second@example.com');
  const path = '/v1/partner/partners/2/groups';
  const { body } = await send(portal, 'POST', path, {
    token,
    body: { name: 'Short-lived', note: '', role: 0 },
  });
  await page.goto(`/partner/groups/edit/?id=${body.id}`);
  await page.getByRole('textbox', { name: groups.name }).fill('Too late');
  await press(ui.toConfirm);
  await heading(groups.confirm);
  expect((await send(portal, 'DELETE', `${path}/${body.id}`, { token })).status).toBe(200);
  await press(ui.save);
  await page.getByRole('heading', { name: errorCatalogue.E40404.ja }).waitFor();
  await page.getByText(ui.goneText).waitFor();
  await page.getByRole('link', { name: groups.toList }).click();
  await heading(groups.title);
});
