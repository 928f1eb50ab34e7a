import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

export interface Line {
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** Slows what the page sends down to `bytesPerSecond`, so that there is a middle of an upload to do something in. */
export async function slowLine(page: Page, bytesPerSecond: number): Promise<Line> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const set = (offline: boolean) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  await set(false);
  return {
    cut: async () => void (await set(true)),
    restore: async () => void (await set(false)),
  };
}

/** What waits until half a second has passed without a request of the page; the stream of notices, which stays open, is none. */
export function quietnessOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let changedAt = Date.now();
  const changed = () => {
    changedAt = Date.now();
  };
  page.on('request', (request) => {
    if (request.url().endsWith('/notices/stream')) return;
    underWay.add(request);
    changed();
  });
  const ended = (request: Request) => {
    if (underWay.delete(request)) changed();
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    const deadline = Date.now() + 15_000;
    while (underWay.size > 0 || Date.now() - changedAt < 500) {
      if (Date.now() > deadline)
        throw new Error(`under way: ${[...underWay].map((one) => one.url()).join(' ')}`);
      await sleep(50);
    }
  };
}
