import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

let source: Promise<string> | undefined;

/** What axe finds wrong on the page, one line for each element; with `only`, by these rules alone. */
export async function violationsOf(page: Page, only?: readonly string[]): Promise<string[]> {
  // A page that is still the same one has it already: it is half a megabyte of script.
  if (!(await page.evaluate(() => window.axe !== undefined))) {
    source ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    await page.evaluate(await source);
  }
  const options: axe.RunOptions = {
    runOnly: only ? [...only] : rules,
    // Only of violations each element is told.
    resultTypes: ['violations'],
  };
  const violations = await page.evaluate(
    async (wanted) => (await window.axe?.run(document, wanted))?.violations,
    options,
  );
  if (violations === undefined) throw new Error('The page has no axe');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

/**
 * Texts, visible or not, that look like a key of the translations or a unfilled placeholder: `roles.user`,
 * `emptyTitle`, `{{name}}`.
 */
export async function textsLikeKeys(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [document.title];
    while (walker.nextNode()) {
      // What a machine calls something stands as code.
      if (walker.currentNode.parentElement?.tagName !== 'CODE')
        found.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
        found.push(element.getAttribute(name) ?? '');
      }
    }
    return found;
  });
  const key = /^([a-zA-Z]\w*:[\w.]+|[a-z]+(([A-Z][a-z0-9]*)+|(\.[a-zA-Z0-9]+)+))$/;
  const fileName = /\.(json|p12|uap|ufpz)$/;
  const systems = ['iOS', 'macOS'];
  return texts
    .map((text) => text.trim())
    .filter(
      (text) => (key.test(text) && !fileName.test(text) && !systems.includes(text)) || text.includes('{{'),
    );
}

/** Options of an open list that something else covers where they are on the screen. */
export function coveredOptions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isWithin = (y: number, { bottom, top }: { bottom: number; top: number }) => y > top && y < bottom;
    return [...document.querySelectorAll('[role=listbox] [role=option]')].flatMap((option) => {
      const { height, left, top, width } = option.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const list = option.closest('[role=listbox]')?.getBoundingClientRect();
      if (!list || !isWithin(y, list) || !isWithin(y, { top: 0, bottom: innerHeight })) return [];
      const above = document.elementFromPoint(x, y);
      return option.contains(above)
        ? []
        : [`${option.textContent} is behind ${above?.outerHTML.slice(0, 80)}`];
    });
  });
}

/**
 * What is wider than its place on the page, or the page than its window, with what stands out of it: nobody wants to
 * scroll sideways, and nothing runs out of its card.
 */
export function overflowsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.textContent ?? '').trim().slice(0, 40)}"`;
    // Documents have whatever fields a company gives them: their table scrolls in a region that the keyboard reaches.
    const tables = Array.from(document.querySelectorAll('table'), (table) => table.parentElement).filter(
      (place) => !place?.matches('[role=region][tabindex="0"]'),
    );
    const places = [...tables, ...document.querySelectorAll('main, dialog, dl, form, html')];
    return places.flatMap((place) => {
      const width = place?.matches('html') ? window.innerWidth : place?.clientWidth;
      if (!place || width === undefined || place.scrollWidth <= width) return [];
      const end = place.getBoundingClientRect().left + width;
      const out = Array.from(place.querySelectorAll('*')).filter(
        (element) => element.getBoundingClientRect().right > end + 0.5,
      );
      return [`${said(place)} by ${place.scrollWidth - width} px: ${out.slice(-3).map(said).join(', ')}`];
    });
  });
}

/** Texts that end in dots for want of room, as far as they are shown: `whole` tells if the pointer gives the rest. */
export function cutTextsOf(page: Page): Promise<{ text: string; whole: boolean }[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('main *'))
      .filter((element) => getComputedStyle(element).webkitLineClamp !== 'none')
      .filter(({ clientHeight, scrollHeight }) => scrollHeight > clientHeight)
      .map((element) => {
        const text = element.textContent ?? '';
        return { text, whole: element.closest<HTMLElement>('[title]')?.title === text };
      }),
  );
}

/** The colours of the other mode, at once and without a reload. */
export async function setDark(page: Page, dark: boolean): Promise<void> {
  await page.evaluate((wanted) => {
    const { classList, style } = document.documentElement;
    classList.toggle('dark', wanted);
    classList.toggle('light', !wanted);
    style.colorScheme = wanted ? 'dark' : 'light';
    style.removeProperty('background-color');
  }, dark);
  await settled(page);
}

/**
 * Waits until all sections and the effect of a change stand, and transitions are over: colours in between are not checked
 * for contrast. Where a colour is inherited, the transition of an element begins when that of its parent ends.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('[data-more-to-come]').first().waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    const moving = () =>
      document.getAnimations().filter(
        ({ effect, playState }) =>
          // What is over may stay in the list, for the state in which it leaves its element.
          playState === 'running' && effect?.getTiming().iterations !== Number.POSITIVE_INFINITY,
      );
    do {
      await Promise.allSettled(moving().map(({ finished }) => finished));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    } while (moving().length > 0);
  });
}
