import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BadLine, type ReadDocument, readDocuments } from './read-documents.ts';

const mebibyte = 1024 * 1024;

async function* chunksOf(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function read(content: string | Uint8Array, { size = 64 * 1024, mayBeArray = true } = {}) {
  const items: (ReadDocument | BadLine)[] = [];
  for await (const some of readDocuments(chunksOf(Buffer.from(content), size), { mayBeArray })) {
    items.push(...some);
  }
  return items;
}

/** The line, and the document or the message of what is wrong. */
const told = (items: readonly (ReadDocument | BadLine)[]) =>
  items.map((item) => [item.line, 'fault' in item ? item.fault.message : JSON.parse(item.json)]);

describe('When JSON lines are read', () => {
  test('then blank lines are passed over and counted, and bad lines are told', async () => {
    const content = '\n{"a":1}\r\n  \n{"a":\n[1]\n{"$a":1}\n{"_id":"x","a":2}';
    expect(told(await read(content))).toEqual([
      [2, { a: 1 }],
      [4, 'invalidjson'],
      [5, 'documentObject'],
      [6, 'documentKey'],
      [7, { a: 2 }],
    ]);
  });

  test('then a mark of the byte order before them is passed over', async () => {
    expect(told(await read('\ufeff{"a":1}\n{"a":2}', { size: 1 }))).toEqual([
      [1, { a: 1 }],
      [2, { a: 2 }],
    ]);
  });

  test('then a line that is not UTF-8 is bad, and the next one is not', async () => {
    const content = Buffer.concat([Buffer.from('{"a":"\xe9"}\n', 'latin1'), Buffer.from('{"a":"é"}\n')]);
    expect(told(await read(content))).toEqual([
      [1, 'notUtf8'],
      [2, { a: 'é' }],
    ]);
  });

  test('then a line of 1 MiB is a document, and a longer one is not kept in memory', async () => {
    const lineOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect(await read(`${lineOf(mebibyte)}\n${lineOf(mebibyte + 1)}\n{"a":1}`)).toMatchObject([
      { line: 1, bytes: mebibyte },
      { line: 2, fault: { message: 'documentTooLarge' } },
      { line: 3 },
    ]);
  });

  test('then a line in brackets is a bad line where no array may come', async () => {
    expect(told(await read('[1,2]\n{"a":1}\n', { mayBeArray: false }))).toEqual([
      [1, 'documentObject'],
      [2, { a: 1 }],
    ]);
  });
});

describe('When one JSON array is read', () => {
  test('then each document has the line on which it begins', async () => {
    const content = '\n [\n {"a":"],[\\"{"},{"a":[1,{"b":2}]}\n,\n\n{"a":\n3}, 4, "x,]"\n]\n ';
    expect(told(await read(content))).toEqual([
      [3, { a: '],["{' }],
      [3, { a: [1, { b: 2 }] }],
      [6, { a: 3 }],
      [7, 'documentObject'],
      [7, 'documentObject'],
    ]);
  });

  test.each(['[]', ' [ \n ] \n'])('then %j has no documents', async (content) => {
    expect(await read(content)).toEqual([]);
  });

  test.each([
    [
      '[{"a":1}\n{"a":2},{"a":3}]',
      [
        [1, 'invalidjson'],
        [2, { a: 3 }],
      ],
    ],
    [
      '[{"a":1},\n]',
      [
        [1, { a: 1 }],
        [2, 'invalidjson'],
      ],
    ],
    [
      '[,{"a":1}]',
      [
        [1, 'invalidjson'],
        [1, { a: 1 }],
      ],
    ],
    [
      '[{"a":1}},\n{"a":2}]',
      [
        [1, 'invalidjson'],
        [2, { a: 2 }],
      ],
    ],
    [
      '[{"a":1}]\n{"a":2}',
      [
        [1, { a: 1 }],
        [2, 'documentArray'],
      ],
    ],
    [
      '[{"a":1},\n{"a":2}',
      [
        [1, { a: 1 }],
        [2, 'documentArray'],
      ],
    ],
    [
      '[{"a":1},\n{"a":"',
      [
        [1, { a: 1 }],
        [2, 'documentArray'],
      ],
    ],
    ['[', [[1, 'documentArray']]],
  ])('then what is broken in %j is told, and the rest is read if it can be', async (content, expected) => {
    expect(told(await read(content))).toEqual(expected);
  });

  test('then one that is too long is passed over', async () => {
    const content = `[{"a":1},{"a":"${'x'.repeat(mebibyte)}"},\n{"a":2}]`;
    expect(told(await read(content))).toEqual([
      [1, { a: 1 }],
      [1, 'documentTooLarge'],
      [2, { a: 2 }],
    ]);
  });
});

test('When a stream is cut anywhere, then its documents are the same', async () => {
  const text = fc.string({ unit: 'grapheme' });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.double({ noNaN: true }),
      fc.boolean(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(
      text.map((key) => `k${key}`),
      tie('value'),
      { maxKeys: 4 },
    ),
  }));
  const documents = fc.array(value.object, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      documents,
      fc.constantFrom('lines', 'array', 'pretty'),
      fc.integer({ min: 1, max: 40 }),
      async (values, form, size) => {
        const content =
          form === 'lines'
            ? values.map((value) => JSON.stringify(value)).join('\n')
            : JSON.stringify(values, null, form === 'pretty' ? 1 : undefined);
        const inOne = await read(content);
        const expected = JSON.parse(JSON.stringify(values));
        expect(inOne.map((item) => ('json' in item ? JSON.parse(item.json) : item))).toEqual(expected);
        expect(await read(content, { size })).toEqual(inOne);
      },
    ),
  );
});

test.each([
  ['one endless line', '{"a":"', 'x'],
  ['one endless document of an array', '[{"a":"', 'x'],
  ['endless brackets', '[[', '['],
  ['endless blanks', '[', ' '],
])('When %s comes, then memory stays flat', async (_, start, more) => {
  async function* endless() {
    yield Buffer.from(start);
    const chunk = Buffer.alloc(mebibyte, more);
    for (let count = 0; count < 300; count++) yield chunk;
  }
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for await (const _items of readDocuments(endless(), { mayBeArray: true })) {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(most).toBeLessThan(32 * mebibyte);
});
