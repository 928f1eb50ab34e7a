import { type ChildProcess, spawn } from 'node:child_process';
import { projectNode, root } from '@portal/testing/project';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { localTime } from '../support/files.ts';
import { signInPartner } from '../support/people.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

const { pushNotifications, ui, users } = texts.ja;
const day = 24 * 3_600_000;
const patience = { timeout: 20_000, interval: 50 };

let portal: Portal;
let browser: Browser;
let page: Page;
let taro: Player;
const running: ChildProcess[] = [];

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), sharedBrowser()]);
  ({ page } = await openPage(browser, portal.url));
  page.on('dialog', (dialog) => void dialog.accept());
  await signInPartner(page);
  taro = await play('taro', 'fcm');
});
afterAll(async () => {
  for (const player of running) player.kill('SIGKILL');
  await closePages(browser);
  await portal?.remove();
});

interface Player {
  /** What was printed of pushes. */
  pushes(): string[];
}

/** The example player, which waits for pushes of the demo. */
async function play(user: string, service: 'apns' | 'fcm', ...more: string[]): Promise<Player> {
  const options = ['--url', portal.url, '--code', '1000', '--user', user, '--list', '--push', service];
  const player = spawn(projectNode, ['examples/player/main.ts', ...options, ...more], { cwd: root });
  running.push(player);
  const chunks: Buffer[] = [];
  for (const stream of [player.stdout, player.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const lines = () => Buffer.concat(chunks).toString().split('\n');
  await vi.waitFor(() => expect(lines().join('\n')).toContain('Waiting for push notifications'), patience);
  return { pushes: () => lines().filter((line) => line.startsWith('Push: ')) };
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const choose = (name: string) => page.getByRole('radio', { name, exact: true }).check();
const message = () => page.getByRole('textbox', { name: pushNotifications.message });

/** Waits on the confirmation until so many devices are counted: a new device is known to the push service a moment later. */
async function confirmFor(devices: number): Promise<void> {
  const counted = page.getByText(new RegExp(`端末${devices}台に届きます`));
  await press(ui.toConfirm);
  await heading(pushNotifications.confirm);
  for (const until = Date.now() + patience.timeout; ; ) {
    await page.getByText(/台に届きます/).waitFor();
    if ((await counted.count()) > 0 || Date.now() > until) break;
    await page.reload();
  }
  await counted.waitFor();
}

test('When a company admin sends a notification to Sales, then the player of taro prints it', async () => {
  await page.goto('/partner/push-notifications/create');
  await page.getByRole('textbox', { name: pushNotifications.pushTitle }).fill('速報');
  await message().fill('新しいカタログです');
  await choose(pushNotifications.deliverToTypes.group);
  const group = page.getByRole('combobox', { name: pushNotifications.group });
  await group.selectOption({ label: await group.getByText('Sales').first().innerText() });
  await confirmFor(1);
  await press(ui.create);
  await heading(pushNotifications.complete);
  await expect.poll(taro.pushes, patience).toEqual(['Push: 速報 / 新しいカタログです']);

  await page.getByRole('link', { name: pushNotifications.toRecord }).click();
  await page.getByText('成功 1・失敗 0 / 1台').waitFor();
  await page.getByText(pushNotifications.statuses.success, { exact: true }).waitFor();
});

test('When a push service does not know a token, then it is gone from the page of its user', async () => {
  // Apple's tokens are hexadecimal: it says of another that it knows no such device.
  await play('dev', 'apns', '--push-token', 'dead');
  await page.goto('/partner/push-notifications/create');
  await message().fill('Hello');
  await choose(pushNotifications.deliverToTypes.users);
  await press(pushNotifications.chooseUsers);
  await press(`${pushNotifications.add}: Dev`);
  await page.getByRole('link', { name: pushNotifications.usersDone }).click();
  await confirmFor(1);
  await press(ui.create);
  await page.getByRole('link', { name: pushNotifications.toRecord }).click();
  await page.getByText(pushNotifications.reasons.gone).waitFor();

  await page.goto('/partner/users?q=dev');
  await page.getByRole('link', { name: 'Dev', exact: true }).click();
  await page.getByText(`${users.devices.push}: ${users.devices.pushNone}`, { exact: true }).waitFor();
});

test('When one is for tomorrow at 9:00, then it waits, can be changed, and is sent when its time has come', async () => {
  const tomorrow = `${localTime(day).slice(0, 10)}T09:00`;
  await page.goto('/partner/push-notifications/create');
  await message().fill('明日のお知らせ');
  await choose(pushNotifications.deliverTypes.deliverSchedule);
  await page.locator('input[type=datetime-local]').fill(tomorrow);
  await confirmFor(1);
  await press(ui.create);
  await heading(pushNotifications.complete);

  await page.goto('/partner/push-notifications?status=waiting');
  await page.getByRole('link', { name: `${ui.edit}: 明日のお知らせ` }).click();
  await message().fill('明日のお知らせ（変更）');
  await press(ui.toConfirm);
  await press(ui.save);
  await heading(pushNotifications.complete);
  await page.goto('/partner/push-notifications?status=waiting');
  await page.getByRole('link', { name: '明日のお知らせ（変更）', exact: true }).waitFor();
  const before = taro.pushes();
  expect(before.join()).not.toContain('明日');

  await portal.restartAhead(Date.parse(`${tomorrow}:00+09:00`) - Date.now() + 1000);
  await expect.poll(taro.pushes, patience).toEqual([...before, 'Push: 明日のお知らせ（変更）']);
});
