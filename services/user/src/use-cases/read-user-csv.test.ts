import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type CsvBatch, readUserCsv } from './read-user-csv.ts';

const megabyte = 1024 ** 2;

/** Gives a file of `size` bytes, made of a beginning and one chunk again and again, and counts what is taken of it. */
function file({ start = '', chunk, size }: { start?: string; chunk: string; size: number }) {
  const bytes = Buffer.from(chunk);
  const taken: number[] = [];
  async function* stream() {
    const round = taken.push(0) - 1;
    const give = (part: Buffer) => {
      taken[round] = (taken[round] ?? 0) + part.length;
      return part;
    };
    yield give(Buffer.from(start));
    while ((taken[round] ?? 0) < size) yield give(bytes);
  }
  return { taken, open: async () => stream() };
}

async function read(open: () => Promise<AsyncIterable<Uint8Array>>) {
  let rows = 0;
  let largest = 0;
  for await (const batch of readUserCsv(open)) {
    rows += batch.rows.length;
    largest = Math.max(largest, batch.rows.length + batch.faults.length);
  }
  return { rows, largest };
}

describe('Of a file that is read', () => {
  it('a row whose password is among the first to be tried is wrong', async () => {
    const rows = [
      'Taro One1,,taro,Password123,,,0',
      'Taro One1,,taro,taroone1,,,0',
      'Taro,,taro,Passw0rd-1,,,0',
    ];
    const open = file({ chunk: `name\n${rows.join('\n')}\n`, size: 1 }).open;
    const batches: CsvBatch[] = [];
    for await (const batch of readUserCsv(open)) batches.push(batch);
    const wrong = { field: 'password', code: 'E40002', message: 'guessablePassword' };
    expect(batches.flatMap(({ faults }) => faults)).toEqual([
      { ...wrong, line: 2 },
      { ...wrong, line: 3 },
    ]);
    expect(batches.flatMap((batch) => batch.rows)).toMatchObject([{ line: 4 }]);
  });

  it('one line of 2 GiB is given up after a megabyte', async () => {
    const { open, taken } = file({ start: 'name\n', chunk: 'x'.repeat(65_536), size: 2048 * megabyte });
    await expect(read(open)).rejects.toMatchObject({ fields: [{ message: 'csvRecordTooLong' }] });
    expect(taken[0]).toBeLessThan(2 * megabyte);
  });

  it('a quote that is never closed is given up at the longest record', async () => {
    const { open, taken } = file({ start: 'name\n"', chunk: 'a\n'.repeat(32_768), size: 64 * megabyte });
    await expect(read(open)).rejects.toMatchObject({ fields: [{ message: 'csvRecordTooLong' }] });
    expect(taken[1]).toBeLessThan(2 * megabyte);
  });

  it('a line that is not under a header is told, though it is the only one', async () => {
    const open = async () => Readable.from([Buffer.from('Taro,taro@example.com,,,,,0\n')]);
    const batches: CsvBatch[] = [];
    for await (const batch of readUserCsv(open)) batches.push(batch);
    const fault = { line: 1, field: 'csv', code: 'E40002', message: 'csvHeader' };
    expect(batches).toMatchObject([{ rows: [], faults: [fault] }]);
  });

  it.each(['', '\uFEFF', '\n\r\n', 'name,email\n'])('none is told of %j', async (content) => {
    const open = async () => Readable.from([Buffer.from(content)]);
    await expect(read(open)).rejects.toMatchObject({ code: 'E40002', fields: [{ message: 'csvEmpty' }] });
  });

  it('one batch of rows is held, however many there are', async () => {
    const row = 'Taro,taro@example.com,,,,,0\n';
    const { open } = file({ start: 'name\n', chunk: row.repeat(1000), size: 3 * megabyte });
    const { largest, rows } = await read(open);
    expect(rows).toBeGreaterThan(100_000);
    expect(largest).toBeLessThanOrEqual(5000);
  });

  it('no more bytes are asked for while a batch is worked on', async () => {
    const row = 'Taro,taro@example.com,,,,,0\n';
    const { open, taken } = file({ start: 'name\n', chunk: row.repeat(1000), size: 30 * megabyte });
    for await (const { rows } of readUserCsv(open)) {
      if (rows.length === 0) continue;
      await new Promise((resolve) => setTimeout(resolve, 50));
      break;
    }
    expect(taken[1]).toBeLessThan(2 * megabyte);
  });
});
