import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.ts';
import { documentProblems } from './document-problems.ts';
import { suggest } from './filter-suggestions.ts';
import { filterQuery, readFilter } from './filter-text.ts';
import { createFieldLearner } from './known-fields.ts';
import { mergeDocuments } from './merge-documents.ts';
import { type StoredDocument, writtenOf } from './stored-document.ts';

const stored = (more: Record<string, unknown>): StoredDocument =>
  ({
    _id: 'a',
    ...more,
    _created_at: '2026-01-01',
    _updated_at: '2026-01-02',
    _version: 3,
  }) as StoredDocument;

describe('the columns of a page', () => {
  it('are the id, the fields in their order, and the last change; with the types that were found', () => {
    const { columns, left } = columnsOf([
      stored({ name: 'x', price: 1 }),
      stored({ name: null, tags: ['a'], price: 2 }),
      stored({ name: null, at: { city: 'Tokyo' } }),
    ]);
    expect(columns.map(({ field }) => field)).toEqual(['_id', 'name', 'price', 'tags', 'at', '_updated_at']);
    expect(columns[1]?.types).toEqual(['null', 'string']);
    expect(left).toBe(0);
  });

  it('are no more than can be taken in', () => {
    const fields = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 1]));
    const { columns, left } = columnsOf([stored(fields)]);
    expect([columns.length, left]).toEqual([32, 10]);
  });
});

it('what was written of a document has its id first and nothing that the service keeps', () => {
  expect(JSON.stringify(writtenOf(stored({ b: 1 })))).toBe('{"_id":"a","b":1}');
});

describe('the text of a document', () => {
  const faults = (text: string) => documentProblems(text).map(({ fault, from }) => [fault, from]);

  it.each([
    ['{}', []],
    ['{"a.b":[[1]],"":{"c":"\\u00e9"}}', []],
    ['{"a":1,}', [['keyExpected', 7]]],
    ['{"a" 1}', [['colonExpected', 5]]],
    ['{"a":1 "b":2}', [['commaExpected', 7]]],
    ['{"a":', [['valueExpected', 5]]],
    ['{"a":"x', [['stringNotClosed', 5]]],
    ['{"a":1', [['notClosed', 6]]],
    ['{a:1}', [['invalidSymbol', 1]]],
    ["{'a':1}", [['invalidSymbol', 1]]],
    ['{} {}', [['nothingAfter', 3]]],
    ['[]', [['notObject', 0]]],
    ['7', [['notObject', 0]]],
    ['', [['valueExpected', 0]]],
    ['{"$set":1}', [['dollarKey', 1]]],
    ['{"a":{"__proto__":1}}', [['protoKey', 6]]],
    ['{"a":"\\u0000"}', [['nul', 5]]],
    ['{"a":"\\ud800"}', [['loneSurrogate', 5]]],
    ['{"a":1e999}', [['numberTooLarge', 5]]],
    ['{"a":1,"a":2}', [['duplicateKey', 7]]],
    ['{"_id":7}', [['badId', 7]]],
    ['{"_id":"with space"}', [['badId', 7]]],
    ['{"_id":["a"]}', [['badId', 7]]],
    ['{"in":{"_id":7}}', []],
  ])('%s', (text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it('is neither too deep nor too large', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(faults(nested(100))).toEqual([]);
    expect(faults(nested(101))).toEqual([['tooDeep', 0]]);
    expect(faults(nested(1_000_00))).toEqual([['tooDeep', 0]]);
    expect(faults(JSON.stringify({ a: 'あ'.repeat(400_000) }))).toEqual([['tooLarge', 0]]);
  });
});

describe('a filter', () => {
  it.each([
    ['', undefined],
    ['{}', undefined],
    ['{"a":1}', '{"a":1}'],
    ["{ status: 'paid', total: { $gt: 10, }, }", '{"status":"paid","total":{"$gt":10}}'],
  ])('%s', (text, expected) => {
    const read = readFilter(text);
    expect(read.problem).toBeUndefined();
    if (!read.problem) expect(filterQuery(read.filter)).toBe(expected);
  });

  it.each([
    ['{ a: }', 'syntax', 5],
    ['{ a: 1', 'syntax', 6],
    ['{\n a: ?\n}', 'syntax', 6],
    ['[1]', 'notObject', 0],
    ['{ a: Infinity }', 'number', 0],
    ['{ a: { $where: "1" } }', 'operator', 7],
  ])('%s', (text, fault, from) => {
    expect(readFilter(text).problem).toMatchObject({ fault, from });
  });
});

describe('suggestions for a filter', () => {
  const learner = createFieldLearner();
  learner.learn([
    { _id: 'a', status: 'paid', address: { city: 'Tokyo' }, lines: [{ sku: 'x' }], 'a.b': 1 },
    { _id: 'b', status: 'open', total: 3, sent: true },
  ]);
  const labels = (before: string, after = '') =>
    suggest(before, after, learner.fields()).suggestions.map(({ label }) => label);
  const accepted = (before: string, label: string, after = '') => {
    const { from, suggestions } = suggest(before, after, learner.fields());
    const chosen = suggestions.find((one) => one.label === label);
    if (!chosen) throw new Error('not suggested');
    const text = before.slice(0, from) + chosen.insert;
    return `${text.slice(0, from + chosen.cursor)}|${text.slice(from + chosen.cursor)}${after}`;
  };

  it('are the fields of the documents that were shown, with those inside of others', () => {
    expect(learner.fields().map(({ path }) => path)).toEqual([
      '_id',
      'status',
      'address',
      'address.city',
      'lines',
      'lines.sku',
      'total',
      'sent',
    ]);
    expect(labels('ci')).toEqual(['address.city']);
    expect(labels('{ st')).toEqual(['status']);
    expect(labels('{ "st')).toEqual(['status']);
    expect(labels('{ $o')).toEqual(['$or']);
    expect(labels('{ $or: [{ to')).toEqual(['total']);
  });

  it('are operators for a field, and the values that it has', () => {
    expect(labels('{ total: { $gt')).toEqual(['$gt', '$gte']);
    expect(labels('{ $and: [{ total: { $l')).toEqual(['$lt', '$lte']);
    expect(labels('{ status: ')).toEqual(['"paid"', '"open"']);
    expect(labels('{ status: "p')).toEqual(['"paid"']);
    expect(labels('{ status: { $in: ["o')).toEqual(['"open"']);
    expect(labels('{ sent: { $exists: ')).toEqual(['true', 'false']);
    expect(labels('{ status: "paid", to')).toEqual(['total']);
  });

  it('stand where one goes on', () => {
    expect(accepted('st', 'status')).toBe('{ "status": | }');
    expect(accepted('{ st', 'status')).toBe('{ "status": |');
    expect(accepted('{ "st', 'status', '"')).toBe('{ "status|"');
    expect(accepted('{ total: { $i', '$in')).toBe('{ total: { "$in": [|]');
    expect(accepted('{ status: "p', '"paid"', '" }')).toBe('{ status: "paid|" }');
  });
});

describe('two changes of one document', () => {
  const base = { a: 1, b: { c: 1, d: 1 }, e: [1] };
  it('come together where they are of different fields', () => {
    expect(
      mergeDocuments(base, { a: 2, b: { c: 1, d: 1 }, e: [1] }, { a: 1, b: { c: 1, d: 3 }, f: 1 }),
    ).toEqual({ merged: { a: 2, b: { c: 1, d: 3 }, f: 1 }, both: [] });
  });
  it('name what both have changed', () => {
    expect(
      mergeDocuments(base, { ...base, a: 2, b: { c: 5, d: 1 } }, { ...base, a: 3, b: { c: 6, d: 2 } }),
    ).toEqual({
      merged: { a: 2, b: { c: 5, d: 2 }, e: [1] },
      both: ['a', 'b.c'],
    });
    // One took away what the other changed.
    expect(mergeDocuments(base, { a: 1, e: [1] }, { ...base, b: { c: 9, d: 1 } }).both).toEqual(['b']);
  });
});
