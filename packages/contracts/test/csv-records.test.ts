import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, test } from 'vitest';
import { CsvFault, CsvReader } from '../src/index.ts';

/** The records of a text that comes in pieces of a length; an error as its reason. */
function read(text: string, length = text.length || 1) {
  const reader = new CsvReader();
  const records: { cells: readonly string[]; line: number }[] = [];
  try {
    for (let at = 0; at < text.length; at += length)
      records.push(...reader.read(text.slice(at, at + length)));
    return [...records, ...reader.end()];
  } catch (error) {
    if (error instanceof CsvFault) return `${error.reason} ${error.line}`;
    throw error;
  }
}
const cellsOf = (found: ReturnType<typeof read>) =>
  typeof found === 'string' ? 'error' : found.map(({ cells }) => cells);

function parsed(text: string): string[][] | 'error' {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (error instanceof CsvError) return 'error';
    throw error;
  }
}

test('CSV is taken apart as csv-parse does it, wherever its pieces end', () => {
  const pieces = ['a', ',', '"', '""', '\n', '\r', '\r\n', ' ', 'é', '"b"', '"c\r\nd"'];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let refused = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('');
    const whole = read(text);
    expect(cellsOf(whole), JSON.stringify(text)).toEqual(parsed(text));
    for (const length of [1, 2, 3]) expect(read(text, length), JSON.stringify(text)).toEqual(whole);
    if (typeof whole === 'string') refused += 1;
  }
  expect(refused).toBeGreaterThan(500);
  expect(refused).toBeLessThan(4_500);
});

describe('A record', () => {
  it('is recognised by its first line, with any line ending', () => {
    const found = read('a\r\n\r\n"b\r\nc\rd"\re\n\nf');
    expect(found).toEqual([
      { cells: ['a'], line: 1 },
      { cells: ['b\r\nc\rd'], line: 3 },
      { cells: ['e'], line: 6 },
      { cells: ['f'], line: 8 },
    ]);
  });

  it.each([
    ['that is not closed', 'a\n"b\n'],
    ['that something stands behind', 'a\n"b"c\n'],
    ['in the midst of a cell', 'a\nb"c"\n'],
  ])('with a quote %s is told by its line', (_, text) => {
    expect(read(text)).toBe('csvQuote 2');
  });

  it.each([
    ['one cell', 'x'.repeat(65_536)],
    ['a quoted cell', `"${'x'.repeat(65_536)}`],
    ['commas alone', ','.repeat(65_536)],
    ['line breaks in quotes', `"${'\n'.repeat(65_536)}`],
  ])('has no more characters than it may, in %s', (_, piece) => {
    const reader = new CsvReader();
    reader.read('a\n');
    const endless = () => {
      for (let at = 0; at < 9; at += 1) reader.read(at === 0 ? piece : piece.replace('"', ''));
    };
    expect(endless).toThrow(new CsvFault('csvRecordTooLong', 2));
  });
});
