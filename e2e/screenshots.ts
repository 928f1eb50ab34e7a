import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProduct } from '@portal/testing/product';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from './support/browser.ts';
import { settled } from './support/check-page.ts';
import { signInPartner } from './support/people.ts';

/**
 * Takes the picture of the README from the real product with its demo data: `node e2e/screenshots.ts`, with the web
 * client built. It looks the same on every machine, because the fonts are its own.
 */

const picture = join(import.meta.dirname, '..', 'docs', 'images', 'portal.png');
const mostBytes = 250_000;

const [product, browser] = await Promise.all([startProduct({ LOG_LEVEL: 'warn' }), launchBrowser()]);
try {
  const { page } = await openPage(browser, product.url, { width: 1280, height: 800 });
  await signInPartner(page);
  await page.goto('/partner/files');
  await page.locator('tbody th').first().waitFor();
  await loadFonts(page);
  await settled(page);
  await mkdir(dirname(picture), { recursive: true });
  const { length } = await page.screenshot({ path: picture, animations: 'disabled' });
  if (length > mostBytes) throw new Error(`The picture has ${length} bytes, more than ${mostBytes}`);
  console.log(`${picture}: ${length} bytes`);
} finally {
  await browser.close();
  await product.remove();
}

async function loadFonts(page: Page): Promise<void> {
  const family = dirname(fileURLToPath(import.meta.resolve('@fontsource/noto-sans-jp/package.json')));
  for (const weight of ['400', '700']) {
    for (const subset of ['japanese', 'latin']) {
      const file = join(family, 'files', `noto-sans-jp-${subset}-${weight}-normal.woff2`);
      const data = (await readFile(file)).toString('base64');
      await page.evaluate(
        async (font) => {
          const bytes = Uint8Array.from(atob(font.data), (character) => character.charCodeAt(0));
          const unicodeRange =
            font.subset === 'latin' ? 'U+0000-00FF, U+2000-206F' : 'U+3000-9FFF, U+FF00-FFEF';
          const face = new FontFace('Noto Sans JP', bytes.buffer, { weight: font.weight, unicodeRange });
          document.fonts.add(await face.load());
        },
        { data, subset, weight },
      );
    }
  }
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
