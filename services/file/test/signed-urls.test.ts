import { fileRoutes, formatDateTime, limits } from '@portal/contracts';
import { checkAddress } from '@portal/contracts/internal';
import { createLogger, newId } from '@portal/kernel';
import { createS3Storage } from '@portal/storage/s3';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const player = playerActor({ accountId: 12 });

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.user(12, [3]);
  await harness.user(13, []);
});
afterAll(async () => harness.stop());

type Use = Parameters<typeof ask>[0];
async function ask(
  body:
    | { purpose: 'delivery'; partnerId: number; accountId: number; fileId: number }
    | { purpose: 'file'; partnerId: number; fileId: number }
    | { purpose: 'upload'; partnerId: number; uploadId: string },
): Promise<boolean> {
  const { body: answer, status } = await harness.callAs('gateway', checkAddress, { body });
  if (status !== 200) expect([status, answer]).toMatchObject([404, { code: 'E40405' }]);
  return status === 200;
}
const deliveredTo = (accountId: number, fileId: number, partnerId = 1): Use => ({
  purpose: 'delivery',
  partnerId,
  accountId,
  fileId,
});

/** How often the files were read. */
async function reads(): Promise<number> {
  // Statistics are written when a session is idle; a look at once would miss the last ones.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [row] = await harness.sql<{ count: number }>(
    `SELECT sum(seq_scan + coalesce(idx_scan, 0))::integer AS count FROM pg_stat_user_tables
     WHERE relname IN ('memberships', 'assignments')`,
  );
  return row?.count ?? 0;
}

it('When it is asked whether an address holds, then the answer is what is delivered at that moment', async () => {
  const deliverReservationAt = formatDateTime(new Date(harness.clock.now().getTime() + 3_600_000));
  const id = await harness.upload({ fileName: 'asked.uap', deliverReservationAt });
  await harness.assign(id, [3]);
  const shown: Use = { purpose: 'file', partnerId: 1, fileId: id };
  expect([await ask(deliveredTo(12, id)), await ask(shown)]).toEqual([false, true]);
  // Its time comes without anybody writing.
  harness.clock.advance(3_600_000);
  expect(await ask(deliveredTo(12, id))).toBe(true);
  expect([await ask(deliveredTo(13, id)), await ask(deliveredTo(12, id, 2))]).toEqual([false, false]);
  expect(await ask({ purpose: 'file', partnerId: 2, fileId: id })).toBe(false);

  // What changes is known a moment later.
  const asked = (...uses: Use[]) => expect.poll(async () => Promise.all(uses.map(ask)));
  await harness.user(12, []);
  await asked(deliveredTo(12, id)).toEqual([false]);
  await harness.user(12, [3]);
  await asked(deliveredTo(12, id)).toEqual([true]);
  await harness.assign(id, []);
  await asked(deliveredTo(12, id), shown).toEqual([false, true]);
  await harness.assign(id, [0]);
  await asked(deliveredTo(12, id), deliveredTo(13, id)).toEqual([true, true]);
  await harness.call(fileRoutes.deleteFile, { params: { pid, id } }, admin);
  await asked(deliveredTo(12, id), shown).toEqual([false, false]);
  expect(await ask({ purpose: 'upload', partnerId: 1, uploadId: newId() })).toBe(false);
});

it('When nothing changes, then the database is not asked again, for however many files', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await harness.upload({ fileName: `many-${n}.uap` }));
  for (const id of ids) await harness.assign(id, [3]);
  expect(await ask(deliveredTo(12, ids[0] ?? 0))).toBe(true);
  const before = await reads();
  for (let round = 0; round < 30; round += 1)
    for (const id of ids) expect(await ask(deliveredTo(12, id))).toBe(true);
  // Those before may be counted late; if each of the 90 had asked, there would be at least as many more.
  expect(await reads()).toBeLessThan(before + 45);
});

it('When many ask for the first time at once, then they share one look', async () => {
  const id = await harness.upload({ fileName: 'at-once.uap' });
  await harness.assign(id, [3]);
  const before = await reads();
  await Promise.all(
    Array.from({ length: 100 }, async () => expect(await ask(deliveredTo(12, id))).toBe(true)),
  );
  expect(await reads()).toBeLessThan(before + 30);
});

it('When a token is about to be over, then so are the addresses that are asked for with it', async () => {
  const id = await harness.upload({ fileName: 'short-lived.uap' });
  await harness.assign(id, [3]);
  const token = await harness.token(player);
  harness.clock.advance(50 * 60_000);
  const reply = await harness.service.app.inject({
    method: 'GET',
    url: `/v1/user/files/${id}`,
    headers: { authorization: `Bearer ${token}`, 'x-agent': 'test-player/1.0.0' },
  });
  const address: string = reply.json().signed_url;
  expect((await harness.get(address)).status).toBe(200);
  harness.clock.advance(10 * 60_000);
  expect((await harness.get(address)).status).toBe(403);
});

it('When clients reach the store itself, then no address is good for more than ten minutes', async () => {
  const { presignGet, presignPart, presignPut, urlLifetime } = createS3Storage({
    endpoint: 'http://127.0.0.1:1',
    publicUrl: 'http://store.test',
    region: 'ap-northeast-1',
    bucket: 'portal',
    accessKeyId: 'portal',
    secretAccessKey: 'secret',
    portalUrl: 'http://portal.test',
    clock: harness.clock,
    signer: harness.signer,
    logger: createLogger({ level: 'silent' }),
  });
  const fileId = await harness.upload({ fileName: 'at-the-store.uap', bytes: someBytes('bytes') });
  await harness.assign(fileId, [3]);
  Object.assign(harness.storage, { presignGet, presignPart, presignPut, urlLifetime });
  const body = { name: 'there.uap', fileName: 'there.uap', fileSize: 5 };
  const { body: opened } = await harness.call(fileRoutes.createFile, { params: { pid }, body }, admin);
  const { body: signed } = await harness.call(
    fileRoutes.signParts,
    { params: { uploadId: opened.uploadId }, body: { partNumbers: [1] } },
    admin,
  );
  const { body: delivered } = await harness.call(fileRoutes.getDelivered, { params: { id: fileId } }, player);
  const addresses = [opened.signedUrl, signed.parts[0]?.signedUrl, delivered.signedUrl];
  for (const address of addresses) {
    expect(address).toMatch(/^http:\/\/store\.test\//);
    const seconds = Number(new URL(address ?? '').searchParams.get('X-Amz-Expires'));
    expect(seconds).toBeGreaterThan(limits.storeUrlLifetime / 1000 - 60);
    expect(seconds).toBeLessThanOrEqual(600);
  }
  expect(opened.expiresAt).toBe(formatDateTime(new Date(harness.clock.now().getTime() + 600_000)));
});
