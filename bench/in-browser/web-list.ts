import { startProduct } from '@portal/testing/product';
import type { CDPSession, Page, Response } from 'playwright-core';
import { type Benchmark, type Figure, median } from '../support/figure.ts';
import { withDatabase } from '../support/product-database.ts';
import { companyAdmin } from '../support/session.ts';
import { openPortal } from './open.ts';

const rows = 100;
const ticks = 20;
const openings = 9;
const wide = { width: 1440, height: 900 };

/** The screens that somebody opens first: by their address, with the session of before. */
const firstScreens = ['/partner/login/?partner_code=1000', '/partner/menu', '/partner/files'];
/** The screens on which nothing may move: lists, and pages of what is in them. */
const steadyScreens = [
  ...firstScreens,
  '/partner/users',
  '/partner/groups',
  '/partner/summary',
  '/partner/files/detail?id=2',
  '/partner/users/detail?id=2',
  '/partner/groups/detail?id=1',
];
const widths = [wide, { width: 390, height: 844 }];

/** What the web client costs a browser: scripts and requests of first screens, rows that are ticked, pages that move. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    return [
      await measureScripts(product.url),
      await measureRequests(product.url),
      await measureShifts(product.url),
      ...(await measureRows(product.url, async () => {
        await withDatabase(product, 'portal_user', async (client) => {
          await client.query(
            `INSERT INTO accounts (partner_id, name, name_key, login_user_id, login_user_id_key, role, is_user,
               max_device_count_limited_flag, max_device_count, created_at, updated_at)
             SELECT $1, 'Person ' || i, 'person ' || i, 'bench-' || i, 'bench-' || i, 0, true, false, 0, now(), now()
             FROM generate_series(1, $2::integer) i`,
            [companyAdmin.partnerId, rows],
          );
        });
      })),
    ];
  } finally {
    await product.remove();
  }
};

/** Bytes over the wire of all scripts of a screen, in both languages; the sign-in fetches those of the next screen ahead, which do not count. */
async function measureScripts(url: string): Promise<Figure> {
  const { browser, page, quiet } = await openPortal(url, wide);
  try {
    const sizes: { screen: string; bytes: number }[] = [];
    for (const language of ['ja', 'en']) {
      await page.evaluate((chosen) => localStorage.setItem('portal.language', chosen), language);
      // The sign-in last: it is for who has no session.
      for (const screen of firstScreens.toReversed()) {
        if (screen.startsWith('/partner/login')) await signOut(page);
        const seen = await watched(page, async () => {
          await page.goto(screen);
          await quiet();
        });
        const isAhead = (address: string) => screen.startsWith('/partner/login') && address.includes('work-');
        const scripts = seen.filter(
          (response) => response.request().resourceType() === 'script' && !isAhead(response.url()),
        );
        const all = await Promise.all(
          scripts.map(async (response) => Number(await response.headerValue('content-length'))),
        );
        sizes.push({ screen, bytes: all.reduce((sum, bytes) => sum + bytes, 0) });
      }
      await signInAgain(page, quiet);
    }
    const largest = Math.max(...sizes.map(({ bytes }) => bytes));
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
    return {
      what: 'Compressed scripts of each first screen',
      target: '250 kB',
      measured: kilobytes(largest),
      value: largest,
      better: 'lower',
      detail: `the largest of sign-in, home and list of files in both languages: ${sizes
        .map(({ bytes }) => kilobytes(bytes))
        .join(', ')}`,
      met: largest <= 250_000,
    };
  } finally {
    await browser.close();
  }
}

async function measureRequests(url: string): Promise<Figure> {
  const { browser, page, quiet } = await openPortal(url, wide);
  try {
    const seen = await watched(page, async () => {
      await page.goto('/partner/files');
      await page.locator('tbody th a').first().waitFor();
      await quiet();
    });
    const icons = seen.filter((response) => response.request().resourceType() === 'image').length;
    return {
      what: 'Requests of the list of files over HTTP/1.1',
      target: '12',
      measured: String(seen.length),
      value: seen.length,
      better: 'lower',
      detail: `with an empty cache until nothing is under way; ${icons} are icons of files; the stream of notices begins later`,
      met: seen.length <= 12,
    };
  } finally {
    await browser.close();
  }
}

async function measureShifts(url: string): Promise<Figure> {
  const found: { screen: string; width: number; shift: number }[] = [];
  for (const size of widths) {
    const { browser, page, quiet } = await openPortal(url, size);
    try {
      await page.addInitScript(() => {
        // Without those that follow an input, as browsers define it.
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if (!('value' in entry) || ('hadRecentInput' in entry && entry.hadRecentInput === true)) continue;
            const { dataset } = document.documentElement;
            dataset['shift'] = String(Number(dataset['shift'] ?? 0) + Number(entry.value));
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 60,
        downloadThroughput: 1_000_000,
        uploadThroughput: 1_000_000,
      });
      for (const screen of steadyScreens) {
        await page.goto(screen);
        await quiet();
        const shift = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0));
        found.push({ screen, width: size.width, shift });
      }
    } finally {
      await browser.close();
    }
  }
  const [worst] = found.sort((a, b) => b.shift - a.shift);
  return {
    what: 'Layout shift (CLS) of every screen looked at',
    target: 'below 0.02',
    measured: (worst?.shift ?? Number.NaN).toFixed(4),
    value: worst?.shift ?? Number.NaN,
    better: 'lower',
    detail: `the worst of ${found.length} loads on a line with 60 ms: ${worst?.screen} at ${worst?.width} px`,
    met: (worst?.shift ?? Number.NaN) < 0.02,
  };
}

/** A list of 100 rows against a page of the same shell without one. */
async function measureRows(url: string, insert: () => Promise<void>): Promise<readonly Figure[]> {
  await insert();
  const { browser, page, quiet } = await openPortal(url, wide);
  try {
    await page.goto(`/partner/users?perPage=${rows}`);
    await page
      .locator('tbody th')
      .nth(rows - 1)
      .waitFor();
    await quiet();
    const atFullSpeed = await measureTicks(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const atQuarterSpeed = await measureTicks(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });

    const listMs: number[] = [];
    const blankMs: number[] = [];
    const workMs: number[] = [];
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (let turn = 0; turn < openings; turn += 1) {
      await leave(page);
      blankMs.push(await measureOpening(page, '/partner/nowhere', 0));
      await leave(page);
      const before = await workOf(devtools);
      listMs.push(await measureOpening(page, `/partner/users?perPage=${rows}`, rows));
      workMs.push((await workOf(devtools)) - before);
    }
    const opening = median(listMs);
    const blank = median(blankMs);
    return [
      figure('A tick in a list of 100 rows', 50, atFullSpeed),
      figure('The same at a quarter of the speed of the processor', 200, atQuarterSpeed),
      {
        what: 'Opening a list of 100 rows within the portal',
        target: '150 ms',
        measured: `${Math.round(opening)} ms`,
        value: opening,
        better: 'lower',
        detail: `from the press to the painted rows, with the answer of the server; median of ${openings}; the page's own processor time ${Math.round(median(workMs))} ms; a blank page of the same shell ${Math.round(blank)} ms, ${(opening / blank).toFixed(1)} times`,
        met: opening < 150,
      },
    ];
  } finally {
    await browser.close();
  }
}

function figure(what: string, limitMs: number, samples: readonly number[]): Figure {
  const middle = median(samples);
  return {
    what,
    target: `${limitMs} ms`,
    measured: `${Math.round(middle)} ms`,
    value: middle,
    better: 'lower',
    detail: `from the press to the next paint; median of ${samples.length}, worst ${Math.round(Math.max(...samples))} ms`,
    met: middle < limitMs,
  };
}

/** How long it takes from the press of a row's box until it is painted. */
async function measureTicks(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const boxes = [...document.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]')];
    const taken: number[] = [];
    for (const box of boxes.slice(0, count)) {
      const begun = performance.now();
      box.click();
      await new Promise<void>((resolve) =>
        requestAnimationFrame(() => {
          // After the paint of that frame.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve();
          port2.postMessage(undefined);
        }),
      );
      taken.push(performance.now() - begun);
    }
    return taken;
  }, ticks);
}

/** What the page has worked so far, in time of the processor: on a machine that does other things, a clock tells of these. */
async function workOf(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** To another page of the portal, until nothing is under way. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(async () => {
    history.pushState(undefined, '', '/partner/account');
    dispatchEvent(new PopStateEvent('popstate'));
    while (document.querySelectorAll('tbody th').length > 0) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
}

/** Goes there by an address within the page, as a link does, and waits for `count` rows. */
async function measureOpening(page: Page, path: string, count: number): Promise<number> {
  return page.evaluate(
    async ({ to, wanted }) => {
      const begun = performance.now();
      const before = document.querySelector('h1');
      const text = before?.textContent;
      history.pushState(undefined, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
      const isThere = () =>
        document.querySelector('h1')?.textContent !== text &&
        document.querySelectorAll('tbody th').length >= wanted;
      while (!isThere()) await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    },
    { to: path, wanted: count },
  );
}

/** All answers that come while `work` is under way, with an empty cache. */
async function watched(page: Page, work: () => Promise<void>): Promise<Response[]> {
  const seen: Response[] = [];
  const note = (response: Response) => {
    if (!response.url().endsWith('/notices/stream')) seen.push(response);
  };
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  page.on('response', note);
  try {
    await work();
  } finally {
    page.off('response', note);
    await devtools.detach();
  }
  return seen;
}

async function signOut(page: Page): Promise<void> {
  const language = await page.evaluate(() => localStorage.getItem('portal.language'));
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  if (language !== null)
    await page.evaluate((kept) => localStorage.setItem('portal.language', kept), language);
}

async function signInAgain(page: Page, quiet: () => Promise<void>): Promise<void> {
  const { signInPartner } = await import('../../e2e/support/people.ts');
  await signInPartner(page);
  await quiet();
}
