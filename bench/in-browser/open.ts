import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { flags, installedChromium, launchBrowser, openPage } from '../../e2e/support/browser.ts';
import { quietnessOf } from '../../e2e/support/network.ts';
import { signInPartner } from '../../e2e/support/people.ts';

/** The company portal in a real browser, signed in, on its home. */
export async function openPortal(
  url: string,
  size: { width: number; height: number },
): Promise<{ browser: Browser; page: Page; quiet: () => Promise<void> }> {
  const browser = await launchBrowser();
  const { page } = await openPage(browser, url, size);
  // A page that waits for the machine is slow, not broken.
  page.setDefaultTimeout(60_000);
  const quiet = quietnessOf(page);
  await signInPartner(page);
  await quiet();
  return { browser, page, quiet };
}

export interface OpenBrowser {
  /** Where Lighthouse reaches it. */
  readonly port: number;
  signIn(url: string): Promise<void>;
  close(): Promise<void>;
}

/** A browser that others can drive by a port; all its pages share one profile, and with it the session. */
export async function openBrowserWithPort(port: number): Promise<OpenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'portal-bench-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(await installedChromium()),
    args: [...flags, `--remote-debugging-port=${port}`],
    locale: 'ja-JP',
  });
  return {
    port,
    async signIn(url) {
      const page = await context.newPage();
      await page.goto(`${url}/partner/login/?partner_code=1000`);
      await signInPartner(page);
      await page.close();
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
