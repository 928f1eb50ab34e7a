import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadFile } from '@portal/example-player/download.ts';
import { connectPlayer, type Player } from '@portal/example-player/player.ts';
import { send, signIn, uploadFile } from '@portal/testing/http-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../support/browser.ts';
import { settled, violationsOf } from '../support/check-page.ts';
import { demoPassword, signInPartner } from '../support/people.ts';
import { type Portal, sharedPortal } from '../support/portal.ts';
import { texts } from '../support/texts.ts';

const { files } = texts.ja;
const at = '/v1/partner/partners/1/files';
const fileName = 'put-back.uap';
const contents = ['good', 'bad', 'worse'].map((text) => Buffer.from(`${text} `.repeat(500)));
const hashOf = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

let portal: Pick<Portal, 'url' | 'remove'>;
let browser: Browser;
let folder: string;
let token: string;
let id: number;
let player: Player;

async function ask(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await send(portal, method, path, { token, body });
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

/** What the player has by now. */
async function received(): Promise<[version: number | undefined, hash: string]> {
  const delivered = (await player.listFiles()).files.find((file) => file.id === id);
  if (!delivered) return [undefined, ''];
  const { path } = await downloadFile(await player.openFile(id), folder);
  return [delivered.version, hashOf(await readFile(path))];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-versions-'));
  [portal, browser] = await Promise.all([sharedPortal(), sharedBrowser()]);
  token = await signIn(portal, '1000', 'partner@example.com');
  const [content = Buffer.of()] = contents;
  id = await uploadFile(portal, token, { partnerId: 1, name: 'Put back', fileName, content });
  await ask('PUT', `${at}/${id}/groups`, { group_ids: [0] });
  for (const [index, bytes] of contents.slice(1).entries()) {
    const next = { file_name: fileName, file_size: bytes.length, version_note: `Note ${index + 2}` };
    const { signedUrl, uploadId } = await ask('PUT', `${at}/${id}`, next);
    await fetch(String(signedUrl), { method: 'PUT', body: new Uint8Array(bytes) });
    await ask('POST', `/v1/uploads/${String(uploadId)}/complete`, {});
  }
  player = await connectPlayer({
    url: portal.url,
    partnerCode: '1000',
    user: 'taro',
    password: demoPassword,
    device: 'device-of-versions',
  });
});
afterAll(async () => {
  if (token && id) await send(portal, 'DELETE', `${at}/${id}`, { token });
  await closePages(browser);
  await portal?.remove();
  await rm(folder, { recursive: true, force: true });
});

test('A version from before is put back with one click, and the players have its bytes', async () => {
  expect(await received()).toEqual([3, hashOf(contents[2])]);
  const { page } = await openPage(browser, portal.url);
  await signInPartner(page);
  await page.goto(`/partner/files/detail/?id=${id}&pn=Demo`);
  const list = page.getByRole('list', { name: files.versions.title });
  await list.getByText('Note 3').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  const labelled = (label: string, version: number) => label.replace('{{version}}', String(version));
  await list.getByRole('button', { name: labelled(files.versions.putBackOf, 1) }).click();
  const dialog = page.getByRole('dialog', { name: labelled(files.versions.confirmTitle, 1) });
  await dialog.getByText(texts.ja.effect.changes).waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: files.versions.putBack }).click();
  await list.getByText(labelled(files.versions.restoredFrom, 1)).waitFor();
  expect(await received()).toEqual([4, hashOf(contents[0])]);
});
