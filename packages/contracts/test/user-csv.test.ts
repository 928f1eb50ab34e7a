import { describe, expect, it } from 'vitest';
import { EncodingFinder, isHeaderMissing, readUserRow, type UserCsvFault, userRowKey } from '../src/index.ts';

const byId = ['Taro', '', 'taro', 'Passw0rd-1', '{"a":1}', '3, 4', '0'];
const byEmail = ['Hanako', 'hanako@example.com', '', '', '', '', '0'];

/** `field code message` of each fault. */
function faultsOf(row: readonly string[]): string[] {
  const read = readUserRow(row);
  if (!Array.isArray(read)) return [];
  return read.map(({ field, code, message }: UserCsvFault) => `${field} ${code} ${message}`);
}
const changed = (column: number, cell: string, row = byId) => row.with(column, cell);

describe('A row of a CSV file of users', () => {
  it('is a user by login id or by address', () => {
    expect(readUserRow(byId)).toEqual({
      name: 'Taro',
      email: null,
      loginUserId: 'taro',
      password: 'Passw0rd-1',
      json: '{"a":1}',
      groupIds: [3, 4],
      deletes: false,
    });
    expect(readUserRow(byEmail)).toEqual({
      name: 'Hanako',
      email: 'hanako@example.com',
      loginUserId: null,
      password: null,
      json: null,
      groupIds: [],
      deletes: false,
    });
  });

  it('deletes by its login, whatever else it says', () => {
    expect(readUserRow(['', '', 'taro', 'x', '{', 'no', '1'])).toMatchObject({
      loginUserId: 'taro',
      password: null,
      deletes: true,
    });
    expect(faultsOf(['', '', '', '', '', '', '1'])).toEqual([
      'email E40006 required',
      'login_user_id E40006 required',
    ]);
  });

  it('loses the one quote that keeps a cell from being a formula', () => {
    expect(readUserRow(changed(0, "'=1+1"))).toMatchObject({ name: '=1+1' });
    expect(readUserRow(changed(0, "''=1+1"))).toMatchObject({ name: "'=1+1" });
    expect(readUserRow(changed(0, "'quoted'"))).toMatchObject({ name: "'quoted'" });
    expect(readUserRow(changed(2, "'-x"))).toMatchObject({ loginUserId: '-x' });
  });

  it.each([
    ['7 columns too few', byId.slice(1), 'csv E40002 csvColumns'],
    ['8 columns', [...byId, ''], 'csv E40002 csvColumns'],
    ['no name', changed(0, ''), 'name E40003 required'],
    ['a blank name', changed(0, '  '), 'name E40003 required'],
    ['a name that is too long', changed(0, 'x'.repeat(256)), 'name E40002 tooLong'],
    ['NUL in a name', changed(0, 'a\u0000b'), 'name E40002 controlCharacter'],
    ['no address', changed(1, 'hanako', byEmail), 'email E40002 email'],
    ['a login id with a space', changed(2, 'ta ro'), 'login_user_id E40002 invaliduserid'],
    ['both logins', changed(1, 'a@example.com').with(3, ''), 'login_user_id E40002 emailOrLoginUserId'],
    ['a weak password', changed(3, 'short'), 'password E40002 password8char'],
    ['a password with an address', changed(3, 'Passw0rd-1', byEmail), 'password E40002 passwordWithEmail'],
    ['JSON that is none', changed(4, '{a:1}'), 'json E40002 invalidjson'],
    ['JSON that is too long', changed(4, `"${'x'.repeat(65_536)}"`), 'json E40002 tooLong'],
    ['group names', changed(5, 'Sales'), 'group_ids E40002 csvGroupIds'],
    ['a negative group', changed(5, '-1'), 'group_ids E40002 csvGroupIds'],
    [
      '1,001 groups',
      changed(5, Array.from({ length: 1001 }, (_, i) => i).join()),
      'group_ids E40002 outOfRange',
    ],
    ['another flag', changed(6, '2'), 'delete_flag E40002 csvDeleteFlag'],
    ['no flag', changed(6, ''), 'delete_flag E40002 csvDeleteFlag'],
  ])('is refused with %s', (_, row, fault) => {
    expect(faultsOf(row)).toEqual([fault]);
  });

  it('tells all of its faults together', () => {
    expect(faultsOf(['', 'no', '', '', '{', 'x', ''])).toEqual([
      'name E40003 required',
      'json E40002 invalidjson',
      'email E40002 email',
      'group_ids E40002 csvGroupIds',
      'delete_flag E40002 csvDeleteFlag',
    ]);
  });

  it('is the same user in another case', () => {
    const key = (email: string | null, loginUserId: string | null) => userRowKey({ email, loginUserId });
    expect(key('A@example.com', null)).toBe(key('a@EXAMPLE.com', null));
    expect(key(null, 'a')).not.toBe(key('a', null));
  });
});

it('A first row with a delete flag is no header', () => {
  expect(isHeaderMissing(byId)).toBe(true);
  expect(isHeaderMissing(['name', 'email', 'login_user_id', 'password', 'json', 'group_ids', 'x'])).toBe(
    false,
  );
});

describe('The encoding of a CSV file', () => {
  const utf8 = (text: string) => [...new TextEncoder().encode(text)];
  /** 氏名,山田 in Shift-JIS. */
  const shiftJis = [0x8e, 0x81, 0x96, 0xbc, 0x2c, 0x8e, 0x52, 0x93, 0x63, 0x0a];
  /** ﾏﾂ in Shift-JIS, which is ς in UTF-8. */
  const ambiguous = [0xcf, 0x82, 0x0a];

  function found(bytes: readonly number[], chunk: number) {
    const finder = new EncodingFinder();
    for (let at = 0; at < bytes.length; at += chunk) {
      const fault = finder.push(Uint8Array.from(bytes.slice(at, at + chunk)));
      if (fault) return fault;
    }
    return finder.end();
  }

  it.each([1, 3, 1000])('is found from chunks of %d bytes', (chunk) => {
    expect(found(utf8('name\na\n'), chunk)).toBe('utf-8');
    expect(found(utf8('\uFEFF氏名,山田\n'), chunk)).toBe('utf-8');
    expect(found(shiftJis, chunk)).toBe('shift_jis');
    expect(found([...ambiguous, ...shiftJis], chunk)).toBe('shift_jis');
    expect(found([...utf8('氏名,山田\n'), ...shiftJis], chunk)).toBe('csvEncoding');
    expect(found([...shiftJis, ...utf8('氏名,山田')], chunk)).toBe('csvEncoding');
  });

  it('is given up at a line that no record can be, which is not kept', () => {
    const finder = new EncodingFinder();
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    const faults = Array.from({ length: 17 }, () => finder.push(chunk));
    expect(faults.at(-2)).toBeNull();
    expect(faults.at(-1)).toBe('csvRecordTooLong');
  });
});
