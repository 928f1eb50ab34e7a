import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { withClient } from '@portal/database';
import { type TestDatabase, testDatabase } from '@portal/testing';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvCell, csvDateTime, csvText, csvTime, inZone } from '../src/csv/cells.ts';
import { csvLines } from '../src/csv/csv-lines.ts';
import { shiftJis } from '../src/csv/shift-jis.ts';
import { sql } from '../src/csv/sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ service: 'csv', directories: [] });
});
afterAll(async () => database.drop());

/** What PostgreSQL makes of an expression. */
const evaluated = async (text: string, zone = 'UTC'): Promise<string | null> =>
  withClient(database.url, async (client) => {
    await client.query(`BEGIN; ${inZone(zone).text}`);
    const { rows } = await client.query<{ value: string | null }>(`SELECT ${text} AS value`);
    return rows[0]?.value ?? null;
  });

/** As whoever imports a file does it. */
const taken = (cell: string) => (/^'+[=+\-@]/.test(cell) ? cell.slice(1) : cell);

const texts = [
  '=1+1',
  '+81',
  '-1',
  '@cell',
  "'=1",
  "''@",
  "'quoted",
  'Sales',
  'a=b',
  ' =1',
  '営業',
  'é',
  "it's \\",
];

describe('A cell', () => {
  test.each(['=1+1', '+81', '-1', '@cell'])('is never a formula: %s', (text) => {
    expect(csvCell(text)).toBe(`'${text}`);
  });

  test.each(texts)('comes back as it was, and is the same out of PostgreSQL: %s', async (text) => {
    const cell = csvCell(text);
    expect(taken(cell)).toBe(text);
    expect(await evaluated(csvText(sql`${text}::text`).text)).toBe(cell);
  });

  test('of nothing is empty', async () => {
    expect(await evaluated(csvText(sql`''::text`).text)).toBeNull();
    expect(await evaluated(csvText(sql`NULL::text`).text)).toBeNull();
  });
});

test.each(['Asia/Tokyo', 'UTC', 'America/New_York', 'Asia/Kathmandu', '+09:00', '-03:30'])(
  'A time is that of the zone, also out of PostgreSQL: %s',
  async (zone) => {
    for (const time of ['2026-11-21T15:04:05.678Z', '2026-07-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z']) {
      const date = new Date(time);
      expect(await evaluated(sql`${csvTime(sql`${date}`)}::text`.text, zone)).toBe(csvDateTime(zone)(date));
    }
    expect(csvDateTime('Asia/Tokyo')(new Date('2026-11-21T15:04:05.678Z'))).toBe('2026-11-22 00:04:05');
  },
);

describe('SQL with values in it', () => {
  test('lets no value out of its literal', async () => {
    const evil = `'; DROP TABLE users; -- \\' " $1`;
    expect(await evaluated(sql`${evil}`.text)).toBe(evil);
    expect(await evaluated(sql`1 - ${-1}`.text)).toBe(2);
  });
  test('takes whole numbers alone', () => {
    expect(() => sql`${1.5}`).toThrow('Not a whole number');
    expect(() => sql`${Number.NaN}`).toThrow('Not a whole number');
  });
});

test('Lines end as in RFC 4180 wherever chunks do; line breaks in cells stay', async () => {
  const csv = Buffer.from('a,b\n"1\n2","say ""x"""\n3,4\n');
  for (let size = 1; size <= csv.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(csv.length / size) }, (_, index) =>
      csv.subarray(index * size, (index + 1) * size),
    );
    let lines = 0;
    const passed = Readable.from(chunks).pipe(
      csvLines({
        withBom: true,
        onLines: (count) => {
          lines = count;
        },
      }),
    );
    expect((await buffer(passed)).toString()).toBe('\uFEFFa,b\r\n"1\n2","say ""x"""\r\n3,4\r\n');
    expect(lines).toBe(3);
  }
});

test('Shift-JIS is that of CP932 wherever chunks end; what it cannot write is one question mark', async () => {
  const text = '髙橋①～ー ソ表能 〜−‖—¢£¬ é😀한\r\n';
  const bytes = Buffer.from(text);
  for (let size = 1; size <= 7; size += 1) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const encoded = await buffer(Readable.from(chunks).pipe(shiftJis()));
    expect(iconv.decode(encoded, 'cp932')).toBe('髙橋①～ー ソ表能 ～－∥―￠￡￢ ???\r\n');
  }
});
