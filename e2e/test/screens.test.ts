import { type Language, languages } from '@portal/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser, type Visit } from '../support/browser.ts';
import { overflowsOf, settled, textsLikeKeys, violationsOf } from '../support/check-page.ts';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { sharedPortal } from '../support/portal.ts';
import { screens } from '../support/screens.ts';
import { texts } from '../support/texts.ts';

/** What can go wrong with one language, size or mode goes wrong in one of these. */
const looks = {
  ja: { width: 1280, height: 900, mode: 'dark' },
  en: { width: 390, height: 844, mode: 'light' },
} as const;
/** Where the columns of a list have the least room for their number. */
const betweenWidth = { ja: 1024, en: 768 };
const enter = { admin: signInAdmin, partner: signInPartner, guest: (page: Page) => page.goto('/') };
const visitors = ['guest', 'admin', 'partner'] as const;

let portal: Awaited<ReturnType<typeof sharedPortal>>;
let browser: Browser;
beforeAll(async () => {
  [portal, browser] = await Promise.all([sharedPortal(), sharedBrowser()]);
});
afterAll(() => closePages(browser));

/** As if somebody chose both in another tab: what is on the screen stays as it is. */
async function choose(page: Page, language: Language): Promise<void> {
  const chosen = { 'portal.language': language, 'portal.theme': looks[language].mode };
  await page.evaluate((choices) => {
    for (const [key, newValue] of Object.entries(choices)) {
      if (localStorage.getItem(key) === newValue) continue;
      localStorage.setItem(key, newValue);
      dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
    }
  }, chosen);
}

async function checkIn(language: Language, page: Page): Promise<void> {
  const { mode, ...size } = looks[language];
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
  await expect.poll(() => page.locator('html').getAttribute('class')).toBe(mode);
  expect(await textsLikeKeys(page)).toEqual([]);

  await page.setViewportSize(size);
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  // The page learns of its new width a moment later.
  await expect.poll(() => overflowsOf(page)).toEqual([]);
  await page.setViewportSize({ width: betweenWidth[language], height: 900 });
  await settled(page);
  await expect
    .poll(() => overflowsOf(page), { message: `overflow at ${betweenWidth[language]} px` })
    .toEqual([]);
}

describe.for(visitors)('%s', (visitor) => {
  let visit: Visit;
  /** What the page still shows as it was loaded: the next state of that begins with it. */
  let loaded: string | undefined;
  beforeAll(async () => {
    // A dialog that is still coming has colours in between: here nothing moves.
    visit = await openPage(browser, portal.url, { reducedMotion: true });
    await enter[visitor](visit.page);
  });
  afterAll(() => visit?.page.context().close());

  test.for(screens[visitor].map((screen) => [`${screen.path} ${screen.state ?? ''}`, screen] as const))(
    '%s',
    async ([, screen]) => {
      const { errors, page } = visit;
      const before = errors.length;
      await choose(page, 'ja');
      await page.setViewportSize({ width: 1280, height: 900 });
      if (loaded !== screen.path) {
        await page.goto(screen.path);
        await page.locator('h1').waitFor();
      }
      loaded = undefined;
      await screen.prepare?.(page, texts.ja);
      await page
        .locator(screen.ready ?? 'h1')
        .first()
        .waitFor();
      for (const language of languages) {
        await choose(page, language);
        await checkIn(language, page);
      }
      const { refused } = screen;
      const isExpected = (error: string) => refused !== undefined && error.includes(`${refused})`);
      expect(errors.slice(before).filter((error) => !isExpected(error))).toEqual([]);
      if (!screen.prepare) loaded = screen.path;
    },
  );
});
