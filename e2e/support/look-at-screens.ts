import { type Language, languages } from '@portal/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser, type Visit } from './browser.ts';
import { coveredOptions, overflowsOf, settled, textsLikeKeys, violationsOf } from './check-page.ts';
import { signInAdmin, signInPartner } from './people.ts';
import { sharedPortal } from './portal.ts';
import { screens } from './screens.ts';
import { texts } from './texts.ts';

/** What can go wrong with one language, size or mode goes wrong in one of these. */
const looks = {
  ja: { width: 1280, height: 900, mode: 'dark' },
  en: { width: 390, height: 844, mode: 'light' },
} as const;
/** Where the columns of a list have the least room for their number. */
const betweenWidth = { ja: 1024, en: 768 };
const enter = { admin: signInAdmin, partner: signInPartner, guest: (page: Page) => page.goto('/') };
type Visitor = keyof typeof enter;

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
  await page.locator(`html.${mode}[lang=${language}]`).waitFor({ state: 'attached' });
  expect(await textsLikeKeys(page)).toEqual([]);

  await page.setViewportSize(size);
  await settled(page);
  expect(await coveredOptions(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
  // The page learns of its new width a moment later.
  await expect.poll(() => overflowsOf(page)).toEqual([]);
  await page.setViewportSize({ width: betweenWidth[language], height: 900 });
  await settled(page);
  await expect
    .poll(() => overflowsOf(page), { message: `overflow at ${betweenWidth[language]} px` })
    .toEqual([]);
}

/** A test for each state of each screen that this visitor can see. */
export function lookAtScreensOf(visitor: Visitor): void {
  let browser: Browser;
  let visit: Visit;
  /** What the page still shows as it was loaded: the next state of that begins with it. */
  let loaded: string | undefined;
  beforeAll(async () => {
    const portal = await sharedPortal();
    browser = await sharedBrowser();
    // A dialog that is still coming has colours in between: here nothing moves.
    visit = await openPage(browser, portal.url, { reducedMotion: true });
    await enter[visitor](visit.page);
  });
  afterAll(() => closePages(browser));

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
}
