import { describe, expect, test } from 'vitest';
import { contentIn, documentIn, isDocumentId } from './document.ts';

const parsed = (text: string) => documentIn(JSON.parse(text));

describe('When a document is read', () => {
  test('then its id is apart, and what the service adds is passed over', () => {
    const text = '{"_id":"a.b:c_-1","a":1,"_created_at":7,"_updated_at":"x","_version":{},"_other":2}';
    expect(parsed(text)).toEqual({ id: 'a.b:c_-1', content: { a: 1, _other: 2 } });
  });

  test('then keys may be empty, have dots, quotes and dollars inside, and be names of JavaScript', () => {
    const text =
      '{"":1,"a.b":{"c\\"d":[[1],[[]]]},"a$":1,"constructor":{"prototype":{"x":1}},"toString":0,"日本":"語"}';
    expect(parsed(text)).toEqual({ id: undefined, content: JSON.parse(text) });
  });

  test.each([
    ['[]', '', 'documentObject'],
    ['null', '', 'documentObject'],
    ['"text"', '', 'documentObject'],
    ['1', '', 'documentObject'],
    ['{"$where":"1"}', '$where', 'documentKey'],
    ['{"a":[{"b":{"$gt":1}}]}', 'a.0.b.$gt', 'documentKey'],
    ['{"__proto__":{"isAdmin":true}}', '__proto__', 'documentKey'],
    ['{"a":{"__proto__":1}}', 'a.__proto__', 'documentKey'],
    ['{"\\u0000":1}', '\0', 'documentKey'],
    ['{"a\\ud800":1}', 'a\ud800', 'documentKey'],
    ['{"a":"x\\u0000y"}', 'a', 'controlCharacter'],
    ['{"a":["\\udc00"]}', 'a.0', 'controlCharacter'],
    ['{"a":{"b":1e309}}', 'a.b', 'outOfRange'],
    ['{"a":-1e400}', 'a', 'outOfRange'],
    ['{"_id":1}', '_id', 'documentId'],
    ['{"_id":null}', '_id', 'documentId'],
    ['{"_id":""}', '_id', 'documentId'],
    ['{"_id":"a/b"}', '_id', 'documentId'],
    ['{"_id":"."}', '_id', 'documentId'],
    ['{"_id":".."}', '_id', 'documentId'],
    ['{"_id":"日本"}', '_id', 'documentId'],
    ['{"_id":"a\\n"}', '_id', 'documentId'],
    [`{"_id":"${'a'.repeat(129)}"}`, '_id', 'documentId'],
  ])('then %s is refused at its place', (text, field, message) => {
    expect(parsed(text)).toMatchObject({ error: { field, message } });
  });

  test.each(['1e308', '-1e308', '0.1', '-0', '9007199254740993', '1e-400'])(
    'then %s is a number',
    (digits) => {
      expect(parsed(`{"a":${digits}}`)).toEqual({ id: undefined, content: { a: Number(digits) } });
    },
  );

  test('then a pair of surrogates is a character as any other', () => {
    expect(parsed('{"a":"\\ud83d\\ude00"}')).toEqual({ id: undefined, content: { a: '😀' } });
  });

  test('then 100 levels are allowed, of which the root is the first, and no 101st', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    const lists = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(parsed(nested(100))).toHaveProperty('content');
    expect(parsed(lists(100))).toHaveProperty('content');
    expect(parsed(nested(101))).toMatchObject({ error: { message: 'documentDepth', params: { max: 100 } } });
    expect(parsed(lists(101))).toMatchObject({ error: { message: 'documentDepth' } });
  });

  test('then the deepest that fits in its size is refused, and the place told is short', () => {
    expect(parsed(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`)).toMatchObject({
      error: { message: 'documentDepth' },
    });
    expect(parsed(`{"$${'x'.repeat(100_000)}":1}`)).toMatchObject({
      error: { field: `$${'x'.repeat(254)}` },
    });
  });

  test('then under a known id the one in it is passed over, whatever it is', () => {
    expect(contentIn({ _id: { not: 'an id' }, a: 1, _version: 3 })).toEqual({ a: 1 });
    expect(contentIn({ _id: '$', $a: 1 })).toMatchObject({ error: { field: '$a', message: 'documentKey' } });
  });
});

test('What is no text of 128 permitted characters is no id', () => {
  expect(isDocumentId('a'.repeat(128))).toBe(true);
  expect(
    ['', 'a'.repeat(129), 'a b', 'a$', "a'", '../a', '.', '..', 1, null, undefined].some(isDocumentId),
  ).toBe(false);
});
