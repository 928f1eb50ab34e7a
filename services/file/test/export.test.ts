import { buffer } from 'node:stream/consumers';
import { batchEvents } from '@portal/contracts';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
let batches = 0;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.group(3, '=営業');
});
afterAll(async () => harness.stop());

async function exported(language: 'en' | 'ja', filter?: Record<string, string>): Promise<Buffer> {
  const batchId = ++batches;
  const objectKey = `exports/${batchId}`;
  await harness.deliver(batchEvents.csvRequested, {
    subject: batchId,
    partnerId: 1,
    data: {
      ...batchEvents.csvRequested.example,
      kind: 'files',
      batchId,
      objectKey,
      language,
      ...(filter && { filter }),
    },
  });
  await vi.waitFor(
    async () => expect((await harness.events('csv.completed')).at(-1)?.subject).toBe(String(batchId)),
    { timeout: 15_000, interval: 100 },
  );
  const content = await harness.storage.get(objectKey);
  if (!content || content === 'not-modified') throw new Error('No file');
  return buffer(content.body);
}

const recordsOf = (csv: Buffer): string[][] =>
  parse(iconv.decode(csv, 'cp932'), { record_delimiter: '\r\n' });

test('files.csv is Shift-JIS as CP932 knows it, without a mark; what it cannot write is a question mark', async () => {
  await harness.upload({ fileName: 'a.uap', name: '髙橋①〜ー−表\\ソ' });
  await harness.upload({ fileName: 'b.uap', name: '絵😀é' });
  const csv = await exported('ja');
  expect(csv.subarray(0, 3).toString()).toBe('id,');
  // 髙 ① ～ ー － 表 \ ソ
  expect(csv.includes(Buffer.from('fbfc8cb587408160815b817c955c5c835c', 'hex').subarray(0, 2))).toBe(true);
  expect(recordsOf(csv).map(([, name]) => name)).toEqual(['name', '髙橋①～ー－表\\ソ', '絵??']);
});

test('files.csv tells of each file as it is now', async () => {
  const id = await harness.upload({
    fileName: 'c.uap',
    name: '+c',
    deliverReservationAt: '2026-12-01T00:00:00Z',
  });
  await harness.assign(id, [0, 3]);
  const [header, ...records] = recordsOf(await exported('en'));
  expect(header).toEqual([
    'id',
    'name',
    'note',
    'file_name',
    'file_size',
    'version',
    'upload_status',
    'groups',
    'deliver_reservation_at',
    'update_reservation_at',
    'created_at',
    'updated_at',
  ]);
  expect(records.at(-1)).toEqual([
    String(id),
    `'+c`,
    '',
    'c.uap',
    '7',
    '1',
    'complete',
    'Everyone,=営業',
    '2026-12-01 09:00:00',
    '',
    '2026-11-21 18:00:00',
    '2026-11-21 18:00:00',
  ]);
  expect(recordsOf(await exported('ja')).at(-1)?.[7]).toBe('全員,=営業');
});

test('files.csv has the files that the list shows with the same filters', async () => {
  const about = await harness.upload({ fileName: 'about.uap', name: "O'Neil 100%" });
  const other = await harness.upload({ fileName: 'other.uap', name: 'about \\ it' });
  await harness.assign(other, [3]);
  const idsOf = async (filter: Record<string, string>) =>
    recordsOf(await exported('en', filter))
      .slice(1)
      .map(([id]) => Number(id));
  expect(await idsOf({ q: 'ABOUT' })).toEqual([about, other]);
  expect(await idsOf({ q: "o'neil 100%" })).toEqual([about]);
  expect(await idsOf({ name: 'about \\ ', group: '3' })).toEqual([other]);
  expect(await idsOf({ q: 'about', state: 'nobody,draft' })).toEqual([about]);
  expect(await idsOf({ createdAtEnd: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await idsOf({ ids: `${other},${about},99999999999999999999` })).toEqual([about, other]);
  expect(await idsOf({ ids: `${other},${about}`, group: '3' })).toEqual([other]);
  expect(await idsOf({ ids: '2147483647' })).toEqual([]);
});
