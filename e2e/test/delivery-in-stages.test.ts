import { makeCompany } from '@portal/example-player/fleet/company.ts';
import { type Fleet, startFleet } from '@portal/example-player/fleet/fleet.ts';
import { send, signIn, uploadFile } from '@portal/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { settled, violationsOf } from '../support/check-page.ts';
import { demoPassword, signInPartner } from '../support/people.ts';
import { type Portal, sharedPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

/**
 * A bad version goes out in stages to a fleet of players, halts by itself and is put back, all on one page; a second admin approves
 * the next one, and the calendar shows it.
 */

const { approvals, calendar, effect, files, rollout } = texts.ja;
const devices = 12;
const code = 'stages-fleet';
const fileName = 'stages.uap';
const name = '店舗ガイド';
/** What a device of the fleet cannot install. */
const bad = 'fail 1\n and nothing that could be unpacked';
const stages = [{ percent: 60 }, { percent: 100, after: 'P1D' }];
const halt = { failure_percent: 20, min_reports: 2 };
const patience = { timeout: 60_000, interval: 300 };
const named = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/\{\{(\w+)(?:, \w+)?\}\}/g, (_, key: string) => String(values[key]));

let portal: Pick<Portal, 'url' | 'remove'>;
let browser: Browser;
let fleet: Fleet;
let pid: number;
let admins: readonly string[];
let token: string;
let id: number;
let page: Page;

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await send(portal, method, `/v1/partner/partners/${pid}${path}`, {
    token,
    ...(body && { body }),
  });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** New bytes that go out in stages. Answers what their completion does. */
async function deliver(text: string): Promise<number> {
  const body = { file_name: fileName, file_size: Buffer.byteLength(text), rollout: { stages, halt } };
  const opened = await ask('PUT', `/files/${id}`, body);
  await fetch(String(opened['signedUrl']), { method: 'PUT', body: text });
  const path = `/v1/uploads/${String(opened['uploadId'])}/complete`;
  return (await send(portal, 'POST', path, { token, body: {} })).status;
}

const numbers = async () => {
  const { states, version } = await ask('GET', `/files/${id}/delivery`);
  const { failed, installed } = Object(states);
  return { version, failed, installed };
};

beforeAll(async () => {
  [portal, browser] = await Promise.all([sharedPortal(), sharedBrowser()]);
  const company = await makeCompany({
    url: portal.url,
    administrator: { email: 'admin@example.com', password: demoPassword },
    code,
    password: demoPassword,
    devices,
    tell: () => undefined,
  });
  ({ admins, id: pid } = company);
  token = await signIn(portal, code, admins[0] ?? '');
  const content = Buffer.from('the guide');
  id = await uploadFile(portal, token, { partnerId: pid, name, fileName, content });
  await ask('PUT', `/files/${id}/groups`, { group_ids: [0] });
  fleet = startFleet(company, { url: portal.url, devices, pollMs: 500, installMs: 20, fail: 0, offline: 0 });
  page = (await openPage(browser, portal.url)).page;
  await signInPartner(page, admins[0], { code });
}, 180_000);
afterAll(async () => {
  await fleet?.stop();
  if (token && pid) await send(portal, 'DELETE', `/v1/partner/partners/${pid}/files/${id}`, { token });
  await closePages(browser);
  await portal?.remove();
});

test('A bad version halts by itself at the first stage, and all devices have the one before again with one click', async () => {
  await expect.poll(numbers, patience).toEqual({ version: 1, failed: 0, installed: devices });
  await page.goto(`/partner/files/detail/?id=${id}&pn=Fleet`);
  expect(await deliver(bad)).toBe(200);
  const section = page.getByRole('region', { name: rollout.title });
  // Nobody reloads the page.
  await section.getByText(rollout.states.halted).waitFor({ timeout: 60_000 });
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  const reached = (await ask('GET', `/files/${id}/delivery`))['failureReasons'];
  expect([reached].flat().length).toBeGreaterThan(0);

  await section.getByRole('button', { name: named(rollout.putBack, { version: 1 }) }).click();
  const dialog = page.getByRole('dialog', { name: named(files.versions.confirmTitle, { version: 1 }) });
  await dialog.getByRole('group', { name: effect.title }).waitFor();
  await dialog.getByRole('button', { name: files.versions.putBack }).click();
  const versions = page.getByRole('list', { name: files.versions.title });
  await versions.getByText(named(files.versions.restoredFrom, { version: 1 })).waitFor();
  await expect.poll(numbers, patience).toEqual({ version: 3, failed: 0, installed: devices });
  const held = fleet.numbers.files.get(id)?.versions ?? new Map();
  expect([...held].map(([version, known]) => [version, known.get('installed')])).toEqual([[3, devices]]);
}, 180_000);

test('A second admin approves the next one, and the calendar shows its next stage', async () => {
  await ask('PUT', '/delivery_settings', { versions_kept: 10, approval_required: true });
  expect(await deliver('the next guide')).toBe(202);
  const { page: second } = await openPage(browser, portal.url);
  await signInPartner(second, admins[1], { code });
  await second.goto('/partner/approvals');
  await second.getByRole('link', { name: new RegExp(`^${approvals.what.file}`) }).click();
  await second.getByRole('button', { name: approvals.approve.action }).click();
  const dialog = second.getByRole('dialog', { name: approvals.approve.title });
  await dialog.getByRole('button', { name: approvals.approve.action }).click();
  await second.getByText(approvals.approve.done).waitFor();
  const taken = async () => (await numbers()).installed;
  await expect.poll(taken, patience).toBeGreaterThan(0);

  await page.goto('/partner/calendar?kind=stage');
  await page
    .getByRole('button', { name: new RegExp(`^${calendar.kinds.stage}: \\d+:\\d+ ${name}`) })
    .first()
    .waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
}, 180_000);
