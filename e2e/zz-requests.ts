import { launchBrowser, openPage } from './support/browser.ts';
import { quietnessOf } from './support/network.ts';
import { signInPartner } from './support/people.ts';
const url = process.env.PORTAL_URL ?? 'http://127.0.0.1:18140';
const browser = await launchBrowser();
const { page } = await openPage(browser, url, {});
const quiet = quietnessOf(page);
await signInPartner(page);
await quiet();
for (const path of process.argv.slice(2).length ? process.argv.slice(2) : ['/partner/files']) {
  const seen: string[] = [];
  const on = (r: any) => seen.push(`${r.method()} ${r.url().replace(url, '')} ${r.resourceType()}`);
  await page.context().clearCookies();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  page.on('request', on);
  await page.goto(path);
  await quiet();
  await page.waitForTimeout(1500);
  page.off('request', on);
  console.log(path, seen.length); for (const s of seen) console.log('  ' + s);
}
await browser.close();
