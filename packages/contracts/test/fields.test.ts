import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  bodyId,
  csvName,
  dateTime,
  email,
  extensionOf,
  fileName,
  formatDateTime,
  groupRole,
  id,
  isPackageName,
  isValidPassword,
  jsonText,
  listQuery,
  loginUserId,
  newPassword,
  oneLine,
  packageName,
  requiredLine,
  requiredText,
  text,
  userRole,
} from '../src/core/fields.ts';
import { maxId } from '../src/core/limits.ts';
import { codeOf, fieldErrorsOf } from '../src/core/validation.ts';
import { wireSchema } from '../src/documents/json-schema.ts';

/** The code, and the field with its message, that a value is refused with; undefined when it passes. */
function refusal(schema: z.ZodType, value: unknown) {
  const result = z.object({ field: schema }).safeParse({ field: value }, { reportInput: true });
  if (result.success) return undefined;
  const fields = fieldErrorsOf(result.error);
  return [codeOf(fields), ...fields.map(({ field, message }) => `${field}: ${message}`)];
}

describe('When a required text comes', () => {
  test.each([undefined, null, '', '  '])('then %j is missing', (value) => {
    expect(refusal(requiredText(10), value)).toEqual(['E40003', 'field: required']);
  });
  test('then one that is too long, of another type, or with a NUL is wrong', () => {
    expect(refusal(requiredText(3), 'abcd')).toEqual(['E40002', 'field: tooLong']);
    expect(refusal(requiredText(3), 5)).toEqual(['E40002', 'field: invalidType']);
    expect(refusal(text(9), 'a\0b')).toEqual(['E40002', 'field: controlCharacter']);
    expect(refusal(text(9), '\uD800')).toEqual(['E40002', 'field: invalidValue']);
  });
});

describe('When a text of one line comes', () => {
  test.each([
    '\n',
    '\r',
    '\t',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202A',
    '\u202E',
    '\u2066',
    '\u2069',
    '\0',
    '\u009F',
  ])('then it is refused with %j in it', (character) => {
    const refused = ['E40002', 'field: controlCharacter'];
    for (const value of [`a${character}b`, `${character}a`, `a${character}`]) {
      expect(refusal(oneLine(9), value)).toEqual(refused);
      expect(refusal(requiredLine(9), value)).toEqual(refused);
      expect(refusal(fileName, `${value}.uap`)).toEqual(['E40002', 'field: fileName']);
    }
  });
  test('then marks of direction, spaces of any width and joined letters are part of it', () => {
    for (const value of ['\u200Fשלום\u200E (a)', '山田\u3000太郎', '👩\u200D💻', 'a\u00A0b']) {
      expect(refusal(requiredLine(20), value)).toBeUndefined();
      expect(refusal(fileName, `${value}.uap`)).toBeUndefined();
    }
  });
  test('then a note may have lines and tabs', () => {
    expect(refusal(text(20), 'a\r\n\tb\u2028c')).toBeUndefined();
  });
});

/** Whether the OpenAPI document allows a value. */
function isDocumented(schema: z.ZodType, value: unknown): boolean {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.compile(wireSchema(schema, 'input'))(value);
}

describe('The OpenAPI document allows what the product takes, and nothing else', () => {
  test.each<[string, z.ZodType, readonly unknown[], readonly unknown[]]>([
    ['a note', text(5), ['', 'a\r\n\tb', '👩👩👩👩👩'], ['abcdef', 'a\0', '👩👩👩👩👩👩', 5]],
    ['a required line', requiredLine(5), ['a', ' a ', '\u200Fש'], ['', ' ', '\u3000', 'a\nb', 'a\u202Eb']],
    [
      'a password',
      newPassword,
      ['Passw0rd', '1abcdefg'],
      ['', 'abcdefgh', '12345678', 'abc d1234', '👩👩👩👩👩a1'],
    ],
    ['an e-mail', email, ['a@example.com'], ['', 'a@', 'a@example', 'a b@example.com']],
    [
      'a time',
      dateTime,
      ['2028-02-29T23:59:59Z', '0001-01-01T00:00:00Z'],
      ['2026-02-29T00:00:00Z', '0000-01-01T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21', ''],
    ],
    ['roles', userRole, [0, 1, 16, 17, 268_435_473], [2, -1, 268_435_474, 2 ** 53, '1']],
    ['an id in a body', bodyId, [0, 2 ** 53 - 1], [-1, 1.5, 2 ** 53]],
    ['a file name', fileName, ['a', 'a b.uap', '..a'], ['', '.', '..', ' a', 'a ', 'a/b', 'a\\b', 'a\nb']],
  ])('%s', (_, schema, taken, refused) => {
    for (const value of taken)
      expect([value, schema.safeParse(value).success, isDocumented(schema, value)]).toEqual([
        value,
        true,
        true,
      ]);
    for (const value of refused)
      expect([value, schema.safeParse(value).success, isDocumented(schema, value)]).toEqual([
        value,
        false,
        false,
      ]);
  });

  test.each(['a.uap', 'a.UFpz', 'a.b.uap', '.uap', 'uap', 'a.uapx', 'a.csv', '..uap', 'a.Csv'])(
    'packages and CSV files by their extension: %s',
    (name) => {
      expect(isDocumented(packageName, name)).toBe(isPackageName(name));
      expect(isDocumented(csvName, name)).toBe(extensionOf(name) === '.csv');
    },
  );
});

describe('When several fields are wrong', () => {
  const schema = z.object({ name: requiredText(5), email });
  test('then all are listed, and the code is E40003 only when all are missing', () => {
    const of = (value: unknown) => {
      const result = schema.safeParse(value, { reportInput: true });
      if (result.success) throw new Error('It passed');
      const fields = fieldErrorsOf(result.error);
      return [codeOf(fields), fields.map(({ field }) => field)];
    };
    expect(of({})).toEqual(['E40003', ['name', 'email']]);
    expect(of({ name: 'abcdef' })).toEqual(['E40002', ['name', 'email']]);
  });

  test.each([
    [{}, 'E40003'],
    [{ what: null }, 'E40003'],
    [{ what: 'c' }, 'E40002'],
    [{ what: 1 }, 'E40002'],
  ])('then what chooses the form of %j is one of them', (value, code) => {
    const forms = z.discriminatedUnion('what', [
      z.object({ what: z.literal('a') }),
      z.object({ what: z.literal('b') }),
    ]);
    const fields = fieldErrorsOf(forms.safeParse(value, { reportInput: true }).error ?? new z.ZodError([]));
    expect([codeOf(fields), fields.map(({ field }) => field)]).toEqual([code, ['what']]);
  });
});

test.each([
  ['Passw0rd', true],
  ['abcdefg1', true],
  ['abcdefgh', false],
  ['12345678', false],
  ['abc d1234', false],
  ['abcdef1', false],
  ['パスワード1a2b', true],
  [`a1${'x'.repeat(127)}`, false],
])('A password such as %j: %s', (password, valid) => {
  expect(isValidPassword(password)).toBe(valid);
});

test('A login user id has letters, digits, hyphen and underscore only', () => {
  expect(refusal(loginUserId, 'taro-1_x')).toBeUndefined();
  expect(refusal(loginUserId, 'taro@x')).toEqual(['E40002', 'field: invaliduserid']);
  expect(refusal(loginUserId, '')).toEqual(['E40003', 'field: required']);
  expect(refusal(loginUserId, '太郎')).toEqual(['E40002', 'field: invaliduserid']);
});

test('An e-mail has its form', () => {
  expect(refusal(email, 'a@example.com')).toBeUndefined();
  expect(refusal(email, 'a@')).toEqual(['E40002', 'field: email']);
  expect(refusal(email, '')).toEqual(['E40003', 'field: required']);
});

test('A JSON field holds JSON or nothing', () => {
  expect(refusal(jsonText, '{"a":1}')).toBeUndefined();
  expect(refusal(jsonText, '')).toBeUndefined();
  expect(refusal(jsonText, '{a:1}')).toEqual(['E40002', 'field: invalidjson']);
});

test.each(['a/b.uap', 'a\\b.uap', '..', '.', 'a\nb.uap', ' a.uap', `${'あ'.repeat(84)}.uap`])(
  'A file name is plain: %j is refused',
  (name) => {
    expect(refusal(fileName, name)).toEqual(['E40002', 'field: fileName']);
  },
);

test('A time is UTC in whole seconds, on a day that exists', () => {
  expect(dateTime.parse('2026-11-21T09:00:00Z')).toEqual(new Date('2026-11-21T09:00:00Z'));
  for (const wrong of ['2026-02-30T00:00:00Z', '2026-11-21', '2026-11-21T09:00:00+09:00', 'x', 5]) {
    expect(refusal(dateTime, wrong)?.[0]).toBe('E40002');
  }
  expect(formatDateTime(new Date('2026-11-21T09:00:00.900Z'))).toBe('2026-11-21T09:00:00Z');
});

test('Roles are known bits', () => {
  expect(refusal(userRole, 17)).toBeUndefined();
  expect(refusal(userRole, 2)).toEqual(['E40002', 'field: invalidValue']);
  expect(refusal(userRole, -1)?.[0]).toBe('E40002');
  expect(refusal(groupRole, 268_435_456)).toBeUndefined();
  expect(refusal(groupRole, 1)).toEqual(['E40002', 'field: invalidValue']);
});

test.each(['0x2', '+2', '02', '2.0', '1e0', ' 2', '0', '-1', '', 'NaN', '２'])('%j is no id', (text) => {
  expect(id.safeParse(text).success).toBe(false);
});

test.each(['0x2', '1e3', ' 1', '1.0', '01'])('%j is no page', (page) => {
  expect(listQuery(['id']).safeParse({ page }).success).toBe(false);
  expect(listQuery(['id']).safeParse({ perPage: page }).success).toBe(false);
});

test('An id beyond what the database holds is one that never exists', () => {
  expect(id.parse('99999999999')).toBe(maxId);
  expect(bodyId.parse(99_999_999_999)).toBe(maxId);
  for (const wrong of ['0', '-1', '1.5', 'x', 'NaN']) expect(id.safeParse(wrong).success).toBe(false);
});
