import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileRoutes } from '@portal/contracts';
import { downloadFile } from '@portal/example-player/download.ts';
import { connectPlayer } from '@portal/example-player/player.ts';
import { send, signIn } from '@portal/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { violationsOf } from '../support/check-page.ts';
import { localTime, makePackage, type TestPackage } from '../support/files.ts';
import { runningUrl } from '../support/host.ts';
import { slowLine } from '../support/network.ts';
import { demoPassword, signInPartner } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

const { files, groups, shell, ui } = texts.ja;
const megabyte = 1024 * 1024;
const day = 24 * 3_600_000;

let portal: Portal;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-delivery-'));
  [portal, browser] = await Promise.all([startPortal(), sharedBrowser()]);
});
afterAll(async () => {
  await closePages(browser);
  await portal?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function signedIn(): Promise<Page> {
  const { page } = await openPage(browser, portal.url);
  page.on('dialog', (dialog) => void dialog.accept());
  await signInPartner(page);
  return page;
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Fills in the form of a new file and begins the upload. */
async function beginUpload(page: Page, chosen: TestPackage, deliverAt?: string): Promise<void> {
  await page.goto('/partner/files/create');
  await page.getByLabel(files.file, { exact: true }).setInputFiles(chosen.path);
  if (deliverAt) await page.locator('input[type=datetime-local]').fill(deliverAt);
  await press(page, ui.toConfirm);
  await heading(page, files.confirm);
  await press(page, files.submitCreate);
}

/** What the panel of uploads offers to do with one. */
const pressOf = (page: Page, action: string, name: string) =>
  press(page, ui.actionOn.replace('{{action}}', action).replace('{{name}}', name));

const panelOf = (page: Page) => page.getByRole('region', { name: files.uploads.title, exact: true });

/** Waits until the upload is at `percent` or beyond, and not over. */
async function uploadedTo(page: Page, percent: number): Promise<void> {
  const bar = page.getByRole('progressbar');
  await expect
    .poll(async () => Number(await bar.getAttribute('aria-valuenow')), { interval: 50, timeout: 20_000 })
    .toBeGreaterThanOrEqual(percent);
}

/**
 * Waits until the file service knows of every part that is stored of an upload. With S3, the gateway tells of parts at
 * intervals; one that it tells after a restart is news, and the upload is not interrupted yet.
 */
async function storedBytesAreKnown(fileName: string): Promise<void> {
  const token = await signIn(portal, '1000', 'partner@example.com');
  const ask = async (path: string) => (await send(portal, 'GET', path, { token })).body;
  const known = async () => {
    const list = fileRoutes.listFiles.response.parse(await ask(`/v1/partner/partners/1/files?q=${fileName}`));
    const [file] = list.files;
    const upload = file && 'upload' in file ? file.upload : undefined;
    if (!upload) return undefined;
    const { parts } = fileRoutes.getUpload.response.parse(await ask(`/v1/uploads/${upload.uploadId}`));
    return upload.storedBytes - parts.reduce((sum, { size }) => sum + size, 0);
  };
  await expect.poll(known, { interval: 500, timeout: 60_000 }).toBe(0);
}

async function assignTo(page: Page, group: string): Promise<void> {
  await page.getByRole('radio', { name: files.assignPage.kinds.groups }).check();
  await page.getByRole('checkbox', { name: group }).check();
  await press(page, files.assignPage.submit);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(group).waitFor();
  await dialog.getByRole('button', { name: files.assignPage.apply }).click();
  await heading(page, files.title);
}

/** What a user's player has of this file by now: the hash of its bytes, or nothing. */
async function received(user: string, fileName: string): Promise<string | undefined> {
  const player = await connectPlayer({
    url: portal.url,
    partnerCode: '1000',
    user,
    password: demoPassword,
    device: `device-of-${user}`,
  });
  const delivered = (await player.listFiles()).files.find((file) => file.fileName === fileName);
  if (!delivered) return undefined;
  const to = join(folder, user);
  await mkdir(to, { recursive: true });
  const { path } = await downloadFile(await player.openFile(delivered.id), to);
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Drops a file onto the page as from the desktop. */
async function drop(page: Page, { fileName, path }: TestPackage): Promise<void> {
  const content = (await readFile(path)).toString('base64');
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
      return data;
    },
    [fileName, content] as const,
  );
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.locator('table').dispatchEvent(event, { dataTransfer: transfer });
}

test('A file that is dropped on the list reaches a group while its publisher goes on working', async () => {
  const chosen = await makePackage(folder, 'welcome.uap', 5 * megabyte);
  const page = await signedIn();
  await page.goto('/partner/files');
  await page.locator('tbody tr').first().waitFor();
  await slowLine(page, 2 * megabyte);
  await drop(page, chosen);
  await heading(page, files.create);
  await expect.poll(() => page.getByLabel(files.name).inputValue()).toBe('welcome');
  await page.getByRole('radio', { name: files.assignPage.kinds.groups }).check();
  await page.getByRole('checkbox', { name: 'Sales' }).check();
  await page.getByText(/届く相手: \d+人/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await press(page, ui.toConfirm);
  await heading(page, files.confirm);
  await press(page, files.submitCreate);
  await heading(page, files.publishing);

  await page.getByRole('navigation').getByRole('link', { name: shell.nav.groups }).click();
  await heading(page, groups.title);
  await panelOf(page).getByRole('progressbar').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await received('taro', chosen.fileName)).toBeUndefined();
  await panelOf(page).getByText(files.uploads.delivered).waitFor();
  expect(await received('taro', chosen.fileName)).toBe(chosen.sha256);
  expect(await received('jiro', chosen.fileName)).toBeUndefined();
  await panelOf(page).getByRole('link', { name: 'welcome', exact: true }).click();
  await heading(page, 'welcome');
});

test('50 MB survive a cut line and reach the players of the assigned group alone', async () => {
  const chosen = await makePackage(folder, 'catalogue.uap', 50 * megabyte);
  const page = await signedIn();
  const line = await slowLine(page, 10 * megabyte);
  await beginUpload(page, chosen);
  await uploadedTo(page, 30);
  await line.cut();
  await page.getByText(files.upload.waiting).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await line.restore();
  await heading(page, files.complete);
  expect(await received('taro', chosen.fileName)).toBeUndefined();

  await page.getByRole('link', { name: files.assign }).click();
  await assignTo(page, 'Sales');
  await page
    .getByRole('row', { name: /catalogue\.uap/ })
    .getByText('Sales')
    .waitFor();
  expect(await received('taro', chosen.fileName)).toBe(chosen.sha256);
  expect(await received('jiro', chosen.fileName)).toBeUndefined();
});

test('An upload can be paused and goes on after a reload with the file chosen again', async () => {
  const chosen = await makePackage(folder, 'manual.ufpz', 40 * megabyte);
  const page = await signedIn();
  await slowLine(page, 6 * megabyte);
  await beginUpload(page, chosen);
  await uploadedTo(page, 20);
  await pressOf(page, ui.pause, 'manual');
  await page.getByText(ui.upload.paused).waitFor();
  await pressOf(page, ui.resume, 'manual');
  await uploadedTo(page, 30);
  await page.reload();
  await heading(page, files.publishStopped);
  await panelOf(page)
    .getByText(files.uploads.interrupted.split('。')[0] ?? '')
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await panelOf(page).locator('input[type=file]').setInputFiles(chosen.path);
  await heading(page, files.complete);
  await page.getByText(files.created.replace('{{name}}', 'manual')).waitFor();
});

test('An upload that its page lost is shown as interrupted, and goes on where it stood with the same file alone', async (context) => {
  context.skip(runningUrl !== undefined, 'the clock of a portal that runs already cannot be moved');
  const chosen = await makePackage(folder, 'lost.uap', 40 * megabyte);
  const page = await signedIn();
  await slowLine(page, 6 * megabyte);
  await beginUpload(page, chosen);
  // Three parts are sent at a time: by then the first are stored.
  await uploadedTo(page, 75);
  await page.context().close();
  await storedBytesAreKnown('lost.uap');

  await portal.restartAhead(3 * 60_000);
  const again = await signedIn();
  await again.goto('/partner/files?state=interrupted');
  const row = again.getByRole('row', { name: /lost\.uap/ });
  await row.getByText(files.states.interrupted).filter({ visible: true }).waitFor();
  expect(await violationsOf(again)).toEqual([]);
  await row.getByRole('link', { name: files.resume }).click();
  await again.getByRole('heading', { name: files.upload.resumeTitle }).waitFor();
  const input = again.getByRole('region', { name: files.upload.resumeTitle }).locator('input[type=file]');
  const other = await makePackage(await mkdtemp(join(folder, 'other-')), 'lost.uap', 40 * megabyte);
  await input.setInputFiles(other.path);
  await again.getByText(files.upload.otherContent.split('。')[0] ?? '').waitFor();
  await expect.poll(() => again.getByRole('button', { name: files.upload.resume }).isDisabled()).toBe(true);
  expect(await violationsOf(again)).toEqual([]);
  await input.setInputFiles(chosen.path);
  await press(again, files.upload.resume);
  await heading(again, 'lost');
  await again.getByText(chosen.sha256).waitFor();
  await again.getByText(files.audience.nobody).waitFor();
  expect(await violationsOf(again)).toEqual([]);
});

test('A cancelled upload leaves no file behind', async () => {
  const chosen = await makePackage(folder, 'draft.uap', 20 * megabyte);
  const page = await signedIn();
  await slowLine(page, 4 * megabyte);
  await beginUpload(page, chosen);
  await uploadedTo(page, 10);
  await pressOf(page, ui.cancelUpload, 'draft');
  await page.getByRole('dialog').getByRole('button', { name: files.upload.cancel }).click();
  await heading(page, files.title);
  await page.goto('/partner/files?name=draft');
  await page.getByText(ui.noMatchTitle).waitFor();
});

test('Reservations are seen by the player after their times and not before', async (context) => {
  context.skip(runningUrl !== undefined, 'the clock of a portal that runs already cannot be moved');
  const first = await makePackage(folder, 'season.uap', megabyte);
  const page = await signedIn();
  await beginUpload(page, first, localTime(2 * day));
  await heading(page, files.complete);
  await page.getByRole('link', { name: files.assign }).click();
  await assignTo(page, 'Sales');

  const second = await makePackage(await mkdtemp(join(folder, 'next-')), 'season.uap', megabyte);
  await page.getByRole('row').getByRole('link', { name: 'season', exact: true }).click();
  await heading(page, 'season');
  await page.getByRole('link', { name: ui.edit, exact: true }).click();
  await page.getByLabel(files.updateFile, { exact: true }).setInputFiles(second.path);
  await page.getByLabel(files.updateReservationAt).fill(localTime(4 * day));
  await press(page, ui.toConfirm);
  await heading(page, files.confirm);
  await press(page, ui.save);
  await heading(page, files.complete);
  await expect.poll(() => panelOf(page).getByText(files.uploads.done).count(), { timeout: 20_000 }).toBe(2);

  expect(await received('taro', first.fileName)).toBeUndefined();
  await portal.restartAhead(3 * day);
  expect(await received('taro', first.fileName)).toBe(first.sha256);
  await portal.restartAhead(5 * day);
  expect(await received('taro', first.fileName)).toBe(second.sha256);
  expect(await received('jiro', first.fileName)).toBeUndefined();
});
