import { signInAdmin as administratorToken, demoPassword, send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { auth, files, groups, shell, tenantMenu, ui, users } = texts.ja;
const portal = portalForSpec();
/** The window of the administrator of the unit that the company belongs to. */
let page: Page;
/** What the page has asked the server for, by method and path. */
const asked: string[] = [];

const company = 'Demo Corporation';

beforeAll(async () => {
  page = await portal.open();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/partner/')) asked.push(`${request.method()} ${pathname}`);
  });
  await signInAdmin(page, 'unit@example.com');
  await page.getByRole('heading', { level: 1, name: auth.menuTitle, exact: true }).waitFor();
});

const heading = (name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const main = () => page.getByRole('main');
const follow = (name: string | RegExp) => main().getByRole('link', { name }).first().click();
const crumb = (name: string) =>
  page.getByRole('navigation', { name: ui.breadcrumb }).getByRole('link', { name, exact: true });

/** What the page offers to do with records. In the history are 「names of operations」 with such words. */
const offered = async () => {
  const name = new RegExp(`^(?!「).*(${ui.edit}|${ui.delete}|${ui.actions}|${files.download})`);
  const found = await Promise.all(
    (['button', 'link'] as const).map((role) => main().getByRole(role, { name }).count()),
  );
  return found.reduce((sum, count) => sum + count);
};

test('The administrator of a unit goes from the page of a company to its files, and sees whom each reaches', async () => {
  await page.goto('/admin/partners');
  await follow(company);
  await heading(company);
  await follow(new RegExp(`^${tenantMenu.files}`));
  await heading(new RegExp(`^${files.title}`));
  await page.getByRole('rowheader', { name: 'Product tour' }).waitFor();
  expect(await offered()).toBe(0);
  await follow('Product tour');
  await heading('Product tour');
  await page.getByText('product-tour.uap').first().waitFor();
  expect(await offered()).toBe(0);
});

test('and on to the group, to who is in it, and back to the company', async () => {
  await follow('Sales');
  await heading(groups.withRole.replace('{{name}}', 'Sales').replace('{{role}}', groups.roles.user));
  await page.getByRole('rowheader', { name: 'Product tour' }).waitFor();
  expect(await offered()).toBe(0);
  await follow('Taro');
  await heading('Taro');
  await page.getByRole('definition').filter({ hasText: 'taro' }).waitFor();
  expect(await offered()).toBe(0);
  await crumb(users.title).click();
  await page.getByRole('rowheader', { name: 'Hanako' }).waitFor();
  await crumb(company).click();
  await heading(company);
});

test('A list is searched within the company, and stays its list over a reload', async () => {
  await follow(new RegExp(`^${tenantMenu.users}`));
  await page.getByRole('searchbox').fill('hanako');
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'Taro' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('rowheader', { name: 'Hanako' }).waitFor();
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
  await crumb(company).waitFor();
});

test('What the company changes shows at the next look', async () => {
  const token = await signIn(portal, '1000', 'partner@example.com');
  const name = 'Seen by the unit';
  const { body } = await send(portal, 'POST', '/v1/partner/partners/1/groups', { token, body: { name } });
  await page.goto('/admin/partner/menu/?id=1&pn=Demo');
  await follow(new RegExp(`^${tenantMenu.groups}`));
  await page.getByRole('rowheader', { name }).waitFor();
  const removed = await send(portal, 'DELETE', `/v1/partner/partners/1/groups/${body['id']}`, { token });
  expect(removed.status).toBe(200);
});

test.each(['files', 'users', 'groups'])(
  'The %s name the company as it is called, and offer nothing, on a phone too',
  async (held) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/admin/partner/${held}/?id=1&pn=Former`);
    await page.getByRole('rowheader').first().waitFor();
    await main().getByText(company, { exact: true }).nth(1).waitFor();
    expect(await main().getByText('Former').count()).toBe(0);
    expect(await offered()).toBe(0);
  },
);

test('All of that only read', () => {
  expect(asked.filter((call) => !call.startsWith('GET '))).toEqual([]);
  expect(asked.filter((call) => /\/(?:files|groups|users)/.test(call)).length).toBeGreaterThan(5);
});

test('A company of another unit shows nothing of what it holds', async () => {
  for (const held of ['files', 'users', 'groups']) {
    await page.goto(`/admin/partner/${held}/?id=2&pn=Second`);
    await main().getByText(ui.goneText).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(0);
  }
  await page.goto('/admin/partner/groups/detail/?id=3&pn=Second&partner=2');
  await main().getByText(ui.goneText).waitFor();
  await page.goto('/admin/partner/groups/detail/?id=3&pn=Second&partner=1');
  await main().getByText(ui.goneText).waitFor();
  expect(await main().getByText('Crew').count()).toBe(0);
});

test('Who has the right to files alone finds files alone', async () => {
  const account = { email: 'files-only@example.com', password: demoPassword };
  const token = await administratorToken(portal);
  const made = await send(portal, 'POST', '/v1/admin/admins', {
    token,
    body: { name: 'Files', role: 3, ...account },
  });
  expect(made.status).toBe(201);
  const theirs = await portal.open();
  await signInAdmin(theirs, account.email);
  await theirs.goto('/admin/partner/menu/?id=1&pn=Demo');
  await theirs
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${tenantMenu.files}`) })
    .waitFor();
  for (const absent of [tenantMenu.users, tenantMenu.groups])
    expect(
      await theirs
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${absent}`) })
        .count(),
    ).toBe(0);
  await theirs.goto('/admin/partner/users/?id=1&pn=Demo');
  await theirs.getByRole('heading', { level: 1, name: shell.forbiddenTitle, exact: true }).waitFor();
  await send(portal, 'DELETE', `/v1/admin/admins/${made.body['id']}`, { token });
});
