import { launchBrowser } from './support/browser.ts';
import { quietnessOf } from './support/network.ts';
import { signInPartner } from './support/people.ts';
const url = 'http://127.0.0.1:18140';
const browser = await launchBrowser();
for (const [width, height] of [[1280, 900], [390, 844]] as const) {
  const context = await browser.newContext({ baseURL: url, viewport: { width, height }, locale: 'ja-JP', timezoneId: 'Asia/Tokyo' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    (window as any).shifts = [];
    new PerformanceObserver((list) => {
      for (const e of list.getEntries() as any[]) if (!e.hadRecentInput) (window as any).shifts.push({ value: e.value, at: Math.round(e.startTime), sources: e.sources.map((s: any) => `${s.node?.nodeName}.${(s.node?.className?.baseVal ?? s.node?.className ?? '')} "${(s.node?.textContent ?? '').slice(0, 30)}" ${Math.round(s.previousRect.top)}+${Math.round(s.previousRect.height)}->${Math.round(s.currentRect.top)}+${Math.round(s.currentRect.height)}`) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const quiet = quietnessOf(page);
  await signInPartner(page);
  await quiet();
  for (const path of process.argv.slice(2)) {
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 60, downloadThroughput: 1e6, uploadThroughput: 1e6 });
    await page.goto(path);
    await quiet(); await page.waitForTimeout(4000);
    const shifts = await page.evaluate(() => (window as any).shifts);
    console.log(width, path, shifts.reduce((s: number, x: any) => s + x.value, 0).toFixed(4));
    for (const s of shifts) { console.log('   ', s.value.toFixed(4), s.at, s.sources.join(' | ')); }
  }
}
await browser.close();
