import type { Page } from 'playwright-core';

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
