import { tenantRoutes } from '@portal/contracts';
import { send, signIn, uploadFile } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

const { shell, summary, ui } = texts.ja;
/** Longer than the gateway takes to hand over what it has counted, and the page to look again. */
const patience = 45_000;
/** Of partner 3, which the other specs leave alone. */
const pid = 3;
const size = 3 * 1024 * 1024;

const portal = portalForSpec();
let page: Page;
let token: string;

beforeAll(async () => {
  token = await signIn(portal, '3000', 'entry@example.com');
  page = await portal.open();
  await signInPartner(page, 'entry@example.com', { code: '3000' });
});

const read = async () => {
  const { body } = await send(portal, 'GET', `/v1/partner/partners/${pid}/summary`, { token });
  return tenantRoutes.getSummary.response.parse(body);
};

/** What passes the gateway, which has no store beside it here. */
async function transferred(): Promise<number> {
  const { dataTransfer } = await read();
  if (dataTransfer === null) throw new Error('The transfer is not measured');
  return dataTransfer;
}

test('The menu leads to the summary, which shows the contract', async () => {
  await page.getByRole('navigation').getByRole('link', { name: shell.nav.summary }).click();
  await page.getByRole('heading', { level: 1, name: summary.title }).waitFor();
  await page.getByText('Entry Studio').last().waitFor();
  await page.getByText(summary.unavailable).first().waitFor();
});

test('A new user takes a licence, and the number follows', async () => {
  const before = await read();
  const path = `/v1/partner/partners/${pid}/users`;
  const body = { name: 'Counted', login_user_id: 'counted', password: 'Passw0rd-1' };
  const { status } = await send(portal, 'POST', path, { token, body });
  expect(status).toBe(201);
  await expect.poll(async () => (await read()).licenseRemaining).toBe(before.licenseRemaining - 1);
  await page.reload();
  const meter = page.getByRole('meter', { name: summary.licences });
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('1');
});

test('A file fills the storage; its bytes up and down and the calls are counted once', {
  timeout: 120_000,
}, async () => {
  const before = await read();
  const transferredBefore = await transferred();
  const id = await uploadFile(portal, token, {
    partnerId: pid,
    name: 'Weighed',
    fileName: 'weighed.uap',
    content: Buffer.alloc(size, 7),
  });
  const { body } = await send(portal, 'GET', `/v1/partner/partners/${pid}/files/${id}`, { token });
  const reply = await fetch(String(body.signedUrl));
  expect((await reply.arrayBuffer()).byteLength).toBe(size);

  await expect
    .poll(async () => (await transferred()) - transferredBefore, { timeout: patience })
    .toBe(2 * size);
  const after = await read();
  expect(after).toMatchObject({ uapFileNum: 1, totalFileSize: size });
  expect(after.apiCallNum).toBeGreaterThan(before.apiCallNum);
  // Midnight may pass meanwhile.
  const lastDays = after.daily.slice(-2);
  for (const bytes of ['uploadBytes', 'downloadBytes'] as const)
    expect(lastDays.reduce((sum, day) => sum + (day[bytes] ?? 0), 0)).toBe(size);
});

test('The bytes of an export count as those of a file do', { timeout: 120_000 }, async () => {
  const before = await transferred();
  const path = `/v1/partner/partners/${pid}/users/csv/batches`;
  const { body: batch } = await send(portal, 'POST', path, { token });
  const read = async (of: string) => (await send(portal, 'GET', `${path}/${batch.id}${of}`, { token })).body;
  await expect.poll(async () => (await read('')).status, { timeout: patience }).toBe('complete');
  const csv = await fetch(String((await read('/url')).signedUrl));
  const { byteLength } = await csv.arrayBuffer();
  expect(byteLength).toBeGreaterThan(0);
  await expect.poll(async () => (await transferred()) - before, { timeout: patience }).toBe(byteLength);
});

test('The page shows it, as bars and as a table', async () => {
  await page.reload();
  await page.getByText('6 MB').first().waitFor();
  await page
    .getByRole('img', {
      name: summary.transferDescription_other
        .replace('{{count}}', '30')
        .replace('{{download}}', '3 MB')
        .replace('{{upload}}', '3 MB'),
    })
    .waitFor();
  await page.getByRole('button', { name: summary.days_other.replace('{{count}}', '7') }).click();
  await page
    .getByRole('img', {
      name: `${summary.calls}: ${summary.callsDescription_other.split(' ')[0]?.replace('{{count}}', '7')}`,
    })
    .waitFor();
  await page.getByRole('button', { name: ui.chart.asTable }).first().click();
  const [, today, yesterday] = await page
    .getByRole('region', { name: summary.transfer })
    .getByRole('row')
    .all();
  // Midnight may have passed meanwhile.
  const cells = [today, yesterday].map(async (day) => day?.getByRole('cell').allTextContents());
  expect((await Promise.all(cells)).flat().filter((text) => text === '3 MB')).toHaveLength(2);
});
