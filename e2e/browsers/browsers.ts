import { installedProgram } from '@portal/testing/engines';
import { flags, installedChromium } from '../support/browser.ts';
import { startPuppeteer } from './chromium-and-firefox.ts';
import { createTab, type Tab } from './tab.ts';
import { startWebKit } from './webkit.ts';

/** Opens a tab of each engine on the product at `baseUrl`. The first time on a machine it installs the browser. */
export const browsers: Readonly<Record<string, (baseUrl: string) => Promise<Tab>>> = {
  async Chromium(baseUrl) {
    const { env, executablePath } = await installedChromium();
    return createTab(
      await startPuppeteer({ browser: 'chrome', executablePath, env, args: [...flags] }),
      baseUrl,
    );
  },
  async Firefox(baseUrl) {
    const executablePath = await installedProgram(
      ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
      ['firefox-esr'],
    );
    return createTab(await startPuppeteer({ browser: 'firefox', executablePath }), baseUrl);
  },
  async WebKit(baseUrl) {
    const miniBrowser = await installedProgram(
      ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
      ['webkit2gtk-driver', 'xvfb'],
    );
    return createTab(await startWebKit(miniBrowser), baseUrl);
  },
};
