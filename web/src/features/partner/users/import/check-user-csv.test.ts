import { describe, expect, it } from 'vitest';
import { checkUserCsv } from './check-user-csv.ts';
import { csvBlob, exampleRows } from './csv-files.ts';

const header = 'name,email,login_user_id,password,json,group_ids,delete_flag\r\n';
const check = async (...parts: BlobPart[]) => checkUserCsv(new Blob(parts), () => undefined);
/** 山田 in Shift-JIS. */
const yamada = Uint8Array.from([0x8e, 0x52, 0x93, 0x63]);

describe('A file of users in the browser', () => {
  it('is counted, whatever it is written in', async () => {
    const rows = ',a@example.com,,,,,0\r\n,,gone,,,,1\r\n';
    const fine = { readable: true, keepCount: 1, deleteCount: 1, faultCount: 0, faults: [] };
    expect(await check(header, yamada, rows)).toEqual(fine);
    expect(await check('\uFEFF', header, '山田', rows)).toEqual(fine);
  });

  it('is told by its wrong lines', async () => {
    const report = await check(
      header,
      'Two lines,a@example.com,,,"{\r\n}",,0\r\n',
      '\r\n',
      'Eight,b@example.com,,,,,0,\r\n',
      'Twin,A@example.com,,,,,0\r\n',
    );
    expect(report).toMatchObject({
      faultCount: 2,
      faults: [
        { line: 5, field: 'csv', message: 'csvColumns' },
        { line: 6, field: 'email', message: 'csvDuplicate', params: { line: 2 } },
      ],
    });
  });

  it('tells what is wrong from top to bottom and from left to right', async () => {
    const report = await check(header, ',no address,,,{bad,x,2\r\n', 'Eight,b@example.com,,,,,0,\r\n');
    expect(report.readable && report.faults.map(({ line, field }) => `${line} ${field}`)).toEqual([
      '2 name',
      '2 email',
      '2 json',
      '2 group_ids',
      '2 delete_flag',
      '3 csv',
    ]);
  });

  it.each([
    ['nothing in it', [], 'csvEmpty', null],
    ['a mark of its encoding alone', ['\uFEFF'], 'csvEmpty', null],
    ['blank lines alone', ['\r\n\n'], 'csvEmpty', null],
    ['no rows', [header], 'csvEmpty', null],
    ['an open quote', [header, 'A,a@example.com,,,,,0\r\n"B'], 'csvQuote', 3],
    ['a line without an end', [header, 'x'.repeat(600_000)], 'csvRecordTooLong', 2],
    ['two encodings', [header, '山田,a@example.com,,,,,0\r\n', yamada], 'csvEncoding', null],
    ['bytes of no text', [Uint8Array.from([0x89, 0x50, 0xff, 0xfd, 0xa0])], 'csvEncoding', null],
  ])('is not read with %s', async (_, parts, message, line) => {
    expect(await check(...parts)).toEqual({ readable: false, message, line });
  });

  it('can be the template, whose cells are safe in a spreadsheet', async () => {
    const rows = [...exampleRows.map((row) => [...row]), ['=1+1', 'b@example.com', '', '', '', '', '0']];
    const template = csvBlob([header.trim().split(','), ...rows]);
    expect(await checkUserCsv(template, () => undefined)).toMatchObject({ faultCount: 0, keepCount: 3 });
    expect(await template.text()).toContain("'=1+1");
  });

  it('without a header is told so, though it has one line alone', async () => {
    expect(await check('A,a@example.com,,,,,0')).toMatchObject({
      faultCount: 1,
      faults: [{ line: 1, field: 'csv', message: 'csvHeader' }],
    });
  });

  it('tells how far it is', async () => {
    const told: number[] = [];
    await checkUserCsv(new Blob([header, 'A,a@example.com,,,,,0']), (share) => told.push(share));
    expect(told.at(0)).toBeGreaterThan(0);
    expect(told.at(-1)).toBe(1);
  });
});
