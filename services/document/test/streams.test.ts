import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGzip } from 'node:zlib';
import { databaseRoutes } from '@portal/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentsHarness, startDocumentsHarness, type TestTenant } from './documents-harness.ts';

/** Imports and exports over real connections. */

let harness: DocumentsHarness;
let tenant: TestTenant;
let port: number;

beforeAll(async () => {
  harness = await startDocumentsHarness();
  tenant = await harness.tenant({ contractStatus: 2 });
  await harness.service.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = harness.service.app.server.address() as AddressInfo);
});
afterAll(async () => harness.stop());

const count = async (path: string) => (await tenant.send(`${path}/documents`)).body.total_count;

function open(path: string, method: string, headers: Record<string, string> = {}) {
  const sending = request({
    host: '127.0.0.1',
    port,
    path: `/api/v2/${tenant.db}/collection${path}`,
    method,
    headers: { 'x-api-key': tenant.key, 'content-type': 'application/x-ndjson', ...headers },
  });
  sending.on('error', () => undefined);
  return sending;
}

test('When the connection of an import breaks, then whole batches stay, and others are told of them', async () => {
  const path = await tenant.collection();
  const sending = open(`${path}/import`, 'POST');
  for (let n = 0; n < 2_500; n += 1) sending.write(`{"_id":"n${n}"}\n`);
  await expect.poll(async () => count(path)).toBe(2_000);
  sending.write('{"_id":"half of a li');
  sending.destroy();
  await expect
    .poll(async () => (await harness.events('documents.imported')).at(-1)?.data)
    .toMatchObject({ collection: path.slice(1), count: 2_000 });
  await sleep(200);
  expect(await count(path)).toBe(2_000);
});

test('While an import is under way, what it has stored counts', async () => {
  const path = await tenant.collection();
  // All calls together are less than an hour, in which everything is measured.
  const measured = async () => {
    harness.clock.advance(30_000);
    await harness.runJobs();
    return (await harness.call(databaseRoutes.getOwnDatabase, { headers: { 'x-api-key': tenant.key } })).body;
  };
  const before = await measured();
  const sending = open(`${path}/import`, 'POST');
  const answered = once(sending, 'response');
  for (let n = 0; n < 1_001; n += 1) sending.write(`{"_id":"n${n}"}\n`);
  await expect
    .poll(async () => (await measured()).documentCount, { interval: 200, timeout: 5_000 })
    .toBe(before.documentCount + 1_000);
  expect((await measured()).usageBytes).toBeGreaterThan(before.usageBytes);
  sending.end();
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  response.resume();
});

test('When the connection of an import with all_or_nothing breaks, then nothing stays', async () => {
  const path = await tenant.collection();
  const sending = open(`${path}/import?all_or_nothing=true`, 'POST');
  for (let n = 0; n < 2_500; n += 1) sending.write(`{"_id":"n${n}"}\n`);
  await sleep(1_000);
  expect(await count(path)).toBe(0);
  sending.destroy();
  await sleep(500);
  expect(await count(path)).toBe(0);
  // Nothing of it is in the way of another one.
  const again = await tenant.send(`${path}/import`, {
    method: 'POST',
    body: '{"_id":"n1"}',
    query: { all_or_nothing: 'true' },
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(again.body).toEqual({ count: 1, line_errors: [], failed: 0 });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Bytes that are held once all garbage is collected. */
const held = () => {
  // The second waits until the bytes of buffers that the first has found are counted as free.
  collect();
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const mebibyte = 1024 * 1024;

test('When 80 MB go in and out, then memory stays flat', async () => {
  const path = await tenant.collection();
  const text = 'x'.repeat(2_000);
  const sending = open(`${path}/import`, 'POST', { 'content-encoding': 'gzip' });
  const answered = once(sending, 'response');
  const zip = createGzip({ level: 1 });
  zip.pipe(sending);
  const before = held();
  let most = 0;
  for (let batch = 0; batch < 40; batch += 1) {
    const lines = Array.from({ length: 1_000 }, (_, n) => `{"_id":"${batch}.${n}","text":"${text}"}\n`).join(
      '',
    );
    if (!zip.write(lines)) await once(zip, 'drain');
    most = Math.max(most, held() - before);
  }
  zip.end();
  const [response] = await answered;
  let reply = '';
  for await (const chunk of response) reply += chunk;
  expect(JSON.parse(reply)).toEqual({ count: 40_000, line_errors: [], failed: 0 });
  expect(most).toBeLessThan(32 * mebibyte);

  const reading = open(`${path}/export`, 'GET');
  reading.end();
  const [exported] = await once(reading, 'response');
  let bytes = 0;
  let mostOut = 0;
  const beforeOut = held();
  for await (const chunk of exported) {
    const next = bytes + chunk.length;
    if (Math.floor(next / (8 * mebibyte)) > Math.floor(bytes / (8 * mebibyte))) {
      mostOut = Math.max(mostOut, held() - beforeOut);
    }
    bytes = next;
  }
  expect(bytes).toBeGreaterThan(80_000_000);
  expect(mostOut).toBeLessThan(32 * mebibyte);
}, 180_000);

test('When nobody reads an export, then no more of it is read from the store', async () => {
  const path = await tenant.collection();
  const body = Array.from({ length: 5_000 }, () => `{"text":"${'x'.repeat(4_000)}"}`).join('\n');
  await tenant.send(`${path}/import`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  const before = held();
  socket.write(
    `GET /api/v2/${tenant.db}/collection${path}/export HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${tenant.key}\r\n\r\n`,
  );
  try {
    await sleep(1_000);
    expect(held() - before).toBeLessThan(12 * mebibyte);
  } finally {
    socket.destroy();
  }
});
