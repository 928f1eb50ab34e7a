import puppeteer, { ElementHandle, type JSHandle, type LaunchOptions } from 'puppeteer-core';
import { findInPage } from './find-in-page.ts';
import type { Driver } from './tab.ts';

const height = 900;

/** Chromium by its own protocol, Firefox by WebDriver BiDi. */
export async function startPuppeteer(options: LaunchOptions): Promise<Driver<ElementHandle<Element>>> {
  const browser = await puppeteer.launch({ ...options, headless: true });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height });
  return {
    async open(url) {
      await page.goto(url);
    },
    async find(role, name) {
      const handle: JSHandle<unknown> = await page.evaluateHandle(findInPage, role, name);
      return handle instanceof ElementHandle ? handle : undefined;
    },
    click: (element) => element.click(),
    isChecked: (element) => element.evaluate((input) => input instanceof HTMLInputElement && input.checked),
    async type(element, text) {
      await element.click({ count: 3 });
      await page.keyboard.press('Backspace');
      await element.type(text);
    },
    async attach(path) {
      const input = await page.$('input[type=file]');
      if (!input) throw new Error('No file field');
      await input.uploadFile(path);
    },
    resize: (width) => page.setViewport({ width, height }),
    evaluate: (expression) => page.evaluate(expression),
    close: () => browser.close(),
  };
}
