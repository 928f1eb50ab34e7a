import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { closePages, openPage, type PageOptions, sharedBrowser, type Visit } from './browser.ts';
import { type Portal, sharedPortal } from './portal.ts';

/** What most specs need: the portal that leaves the others undisturbed, and a browser. */
export interface SpecPortal {
  readonly url: string;
  /** A page in a browser profile of its own. */
  open(options?: PageOptions): Promise<Page>;
  /** The same with what the console shows. */
  visit(options?: PageOptions): Promise<Visit>;
}

/** Both are there from the spec's first hook after this call on, and go with its end. */
export function portalForSpec(): SpecPortal {
  let portal: Pick<Portal, 'url' | 'remove'>;
  let browser: Browser;
  beforeAll(async () => {
    [portal, browser] = await Promise.all([sharedPortal(), sharedBrowser()]);
  });
  afterAll(async () => {
    await closePages(browser);
    await portal?.remove();
  });
  const visit = (options?: PageOptions) => openPage(browser, portal.url, options);
  return {
    get url() {
      return portal.url;
    },
    visit,
    open: async (options) => (await visit(options)).page,
  };
}
