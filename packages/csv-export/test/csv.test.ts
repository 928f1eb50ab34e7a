import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CsvReader, csvLine, withFormulaQuote, withoutFormulaQuote } from '@portal/contracts';
import { withClient } from '@portal/database';
import { type TestDatabase, testDatabase } from '@portal/testing';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvDateTime, csvText, csvTime, inZone } from '../src/cells.ts';
import { csvLines } from '../src/csv-lines.ts';
import { shiftJis } from '../src/shift-jis.ts';
import { sql } from '../src/sql.ts';

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

/** Texts made of what CSV, spreadsheets and Shift-JIS make something of; the same ones in each run. */
const texts = (() => {
  const pieces = [...'=+-@\t\r\n＝＋－＠−﹣,;"\' aé営ソ〜¥😀', '\r\n', '""', '\uFEFF', '1+1', '\\.'];
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: 2_000 }, () =>
    Array.from({ length: next(6) }, () => pieces[next(pieces.length)]).join(''),
  );
})();
/** A table of them, two to a row. */
const table = Array.from({ length: texts.length / 2 }, (_, row) => texts.slice(2 * row, 2 * row + 2));
const csv = table.map(csvLine).join('');

const formulas = [
  '=1+1',
  '+81',
  '-1',
  '@cell',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '−1',
  '﹣1',
  "'=1",
  "''@",
];
const plain = ['', "'quoted", 'Sales', 'a=b', ' =1', '営業', 'ー', "it's \\"];

describe('A cell', () => {
  test.each(formulas)('is never a formula: %j', (text) => {
    expect(csvLine([text])).toMatch(/^"?'/);
  });
  test.each(plain)('stays as it is: %j', (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`);
  });
  test.each([['a\nb'], ['a\rb'], ['a,b'], ['a"b']])('is quoted as in RFC 4180: %j', (text) => {
    expect(csvLine([text])).toBe(`"${text.replace('"', '""')}"\r\n`);
  });

  test('is read unchanged by CSV readers, is no formula, and is imported unchanged', () => {
    const rows: string[][] = parse(csv, { record_delimiter: '\r\n' });
    // What OWASP and the programs themselves name; written down anew, so that no character is lost in one place.
    const signs = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '\u2212'];
    expect(rows.flat().filter((cell) => signs.includes(cell[0] ?? ''))).toEqual([]);
    expect(rows.map((row) => row.map(withoutFormulaQuote))).toEqual(table);
    const reader = new CsvReader();
    expect(reader.read(csv).map(({ cells }) => cells)).toEqual(rows);
  });

  test('is read by Python as it was', (context) => {
    const program =
      'import csv, io, json, sys; text = io.TextIOWrapper(sys.stdin.buffer, "utf-8", newline=""); ' +
      'print(json.dumps(list(csv.reader(text, strict=True))))';
    const { error, stdout } = spawnSync('python3', ['-c', program], { input: csv, encoding: 'utf8' });
    context.skip(error !== undefined, 'python3 is not there');
    expect(JSON.parse(stdout)).toEqual(parse(csv, { record_delimiter: '\r\n' }));
  });

  test('is the same out of PostgreSQL', async () => {
    const values = sql.raw(texts.map((text, n) => sql`(${String(n)}::integer, ${text})`.text).join());
    const copied = await withClient(database.url, async (client) => {
      const select = sql`SELECT ${csvText(sql`t`)}, 1 FROM (VALUES ${values}) AS texts (n, t) ORDER BY n`;
      const rows = client.query(copyTo(`COPY (${select.text}) TO STDOUT (FORMAT csv, ENCODING 'UTF8')`));
      return buffer(rows.pipe(csvLines({ withBom: false, onLines: () => undefined })));
    });
    expect(copied.toString()).toBe(texts.map((text) => csvLine([text, 1])).join(''));
  });

  test('of nothing is empty', async () => {
    expect(await evaluated(csvText(sql`''::text`).text)).toBeNull();
    expect(await evaluated(csvText(sql`NULL::text`).text)).toBeNull();
  });
});

test('Shift-JIS makes neither a formula nor a quote, comma or line break of another character', async () => {
  const characters = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code + 1)).filter(
    (character) => character.isWellFormed(),
  );
  // Behind each a mark, so that one that becomes nothing is seen.
  const encoded = await buffer(
    Readable.from([Buffer.from(characters.map((character) => `${character}\0`).join(''))]).pipe(shiftJis()),
  );
  const became = new TextDecoder('shift_jis').decode(encoded).split('\0');
  const changed = characters.filter((character, index) => {
    const read = became[index]?.[0] ?? '';
    return read !== character && (withFormulaQuote(read) !== read || /^["',\r\n]?$/.test(read));
  });
  // A full-width minus, which the cell is held for before.
  expect(changed).toEqual(['−']);
  expect(withFormulaQuote('−1')).toBe("'−1");
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
