import { languages } from '@portal/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { cutTextsOf, overflowsOf, settled } from '../support/check-page.ts';
import { addDevice, addRecords, endlessNames, everydayNames } from '../support/long-names.ts';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';

const widths = [1536, 1280, 1024, 768, 390];

type Ids = Awaited<ReturnType<typeof addRecords>>;

/** Every screen that shows names of other records. */
const screensOf = ({ group, user, admin, file }: Ids) =>
  [
    ['/partner/users', 'tbody th'],
    [`/partner/users/detail/?id=${user}&pn=Demo`, 'tbody th'],
    [`/partner/users/edit/?id=${user}&pn=Demo`, 'form'],
    ['/partner/groups', 'tbody th'],
    [`/partner/groups/detail/?id=${group}&pn=Demo`, 'tbody th'],
    [`/partner/groups/members/?id=${group}&pn=Demo`, 'tbody th'],
    [`/partner/groups/edit/?id=${group}&pn=Demo`, 'form'],
    ['/partner/admins', 'tbody th'],
    [`/partner/admins/edit/?id=${admin}&pn=Demo`, 'form'],
    ['/partner/files', 'tbody th'],
    [`/partner/files/edit/?id=${file}&pn=Demo`, 'form'],
    [`/partner/files/groups/?id=${file}&pn=Demo`, 'fieldset'],
  ] as const;

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), sharedBrowser()]);
});
afterAll(async () => {
  await closePages(browser);
  await portal?.remove();
});

async function expectToFit(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    expect(await overflowsOf(page), `overflow of ${page.url()} at ${width} px`).toEqual([]);
  }
}

describe.for([
  ['everyday', everydayNames],
  ['endless', endlessNames],
] as const)('%s names', ([kind, records]) => {
  let ids: Ids;
  beforeAll(async () => {
    ids = await addRecords(portal, records);
    if (kind === 'endless') await addDevice(portal);
  });

  test.for(languages)('stay inside of their cards in %s', async (language) => {
    const { page } = await openPage(browser, portal.url, { language });
    await signInPartner(page);
    for (const [path, ready] of screensOf(ids)) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      await expectToFit(page);
      const cut = await cutTextsOf(page);
      if (kind === 'everyday') expect(cut, path).toEqual([]);
      else
        expect(
          cut.filter(({ whole }) => !whole),
          path,
        ).toEqual([]);
    }
    await page.context().close();
  });
});

test('A name that is cut in a list stands in full on its page', async () => {
  const [name] = endlessNames.groups;
  const { page } = await openPage(browser, portal.url, { width: 1024 });
  await signInPartner(page);
  await page.goto('/partner/groups');
  await page.locator('tbody th').first().waitFor();
  expect((await cutTextsOf(page)).map(({ text }) => text)).toContain(name);
  await page.getByRole('link', { name, exact: true }).click();
  await page.locator('h1').getByText(name).waitFor();
  await page.context().close();
});

test.for(languages)(
  'Endless names of companies and units stay inside of their cards in %s',
  async (language) => {
    const { page } = await openPage(browser, portal.url, { language });
    await signInAdmin(page);
    // As long as names may be, and without a place to break.
    await page.route(/admin\/(partners|outsourcing\/units)/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        /"(name|unit_name|admin_name|managers|comment)":"[^"]*/g,
        (start) => start.padEnd(255, 'x'),
      );
      await route.fulfill({ response, body });
    });
    for (const path of ['/admin/partners', '/admin/partner/menu/?id=1', '/admin/outsourcing']) {
      await page.goto(path);
      await page.locator('tbody th, dl').first().waitFor();
      if (path === '/admin/outsourcing') await page.locator('tbody button').first().click();
      await expectToFit(page);
      expect((await cutTextsOf(page)).filter(({ whole }) => !whole)).toEqual([]);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  },
);

test('The drawer tells the company and the person that the narrow header has no room for', async () => {
  const { page } = await openPage(browser, portal.url, { width: 390, height: 844 });
  await signInPartner(page);
  await page.goto('/partner/users');
  await page.locator('header button').first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Demo Corporation', { exact: true }).waitFor();
  await drawer.getByText('Demo Admin', { exact: true }).waitFor();
  await page.context().close();
});
