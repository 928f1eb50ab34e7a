import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, startEngine } from '@portal/testing/engines';
import { freePort } from '@portal/testing/product';
import { Builder, By, WebElement } from 'selenium-webdriver';
import { findInPage } from './find-in-page.ts';
import type { Driver } from './tab.ts';

const height = 900;

/** WebKitGTK by WebDriver, on a screen of its own: it shows no page without one. */
export async function startWebKit(miniBrowser: string): Promise<Driver<WebElement>> {
  const logDir = await mkdtemp(join(tmpdir(), 'portal-webkit-'));
  const port = await freePort();
  const display = port;
  const engines: Engine[] = [];
  const end = async () => {
    for (const engine of engines.toReversed()) await engine.stop();
    await rm(logDir, { recursive: true, force: true });
  };
  try {
    engines.push(
      await startEngine({
        name: 'Xvfb',
        program: 'Xvfb',
        args: [`:${display}`, '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
        logDir,
        isServing: async () => existsSync(`/tmp/.X11-unix/X${display}`),
      }),
      await startEngine({
        name: 'WebKitWebDriver',
        program: 'WebKitWebDriver',
        args: [`--port=${port}`],
        env: {
          DISPLAY: `:${display}`,
          LIBGL_ALWAYS_SOFTWARE: '1',
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        },
        logDir,
        isServing: async () => (await fetch(`http://127.0.0.1:${port}/status`)).ok,
      }),
    );
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
      })
      .build();

    const resize = async (width: number) => {
      const { width: outer } = await driver.manage().window().getRect();
      const inner = Number(await driver.executeScript('return window.innerWidth'));
      await driver
        .manage()
        .window()
        .setRect({ width: width + outer - inner, height });
    };
    await resize(1280);
    return {
      open: (url) => driver.get(url),
      async find(role, name) {
        const found = await driver.executeScript(findInPage, role, name);
        return found instanceof WebElement ? found : undefined;
      },
      async click(element) {
        await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
        await element.click();
      },
      isChecked: (element) => element.isSelected(),
      async type(element, text) {
        await element.clear();
        await element.sendKeys(text);
      },
      attach: async (path) => driver.findElement(By.css('input[type=file]')).sendKeys(path),
      resize,
      evaluate: (expression) => driver.executeScript(`return ${expression}`),
      async close() {
        await driver.quit();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
