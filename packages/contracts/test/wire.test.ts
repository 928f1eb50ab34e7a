import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allRoutes } from '../src/catalogue.ts';
import { fieldName, fromWire, holdsFieldName, renamePath, toWire, verbatim } from '../src/core/wire.ts';
import { wireSchema } from '../src/documents/json-schema.ts';

const person = z.object({
  loginUserId: z.string(),
  groups: z.array(z.object({ groupId: z.number(), sha256: z.string() })).nullable(),
  lastPlatform: z.object({ osType: z.string() }).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  extraData: z.unknown(),
});

describe('When a value goes to the wire and back', () => {
  test('then names change at every depth, values do not', () => {
    const value = {
      loginUserId: 'userName',
      groups: [{ groupId: 1, sha256: 'aB' }],
      lastPlatform: { osType: 'iOs' },
    };
    const wire = {
      login_user_id: 'userName',
      groups: [{ group_id: 1, sha256: 'aB' }],
      last_platform: { os_type: 'iOs' },
    };
    expect(toWire(person)(value)).toEqual(wire);
    expect(fromWire(person)(wire)).toEqual(value);
    expect(toWire(person)({ ...value, groups: null })).toEqual({ ...wire, groups: null });
  });

  test('then what the schema leaves open stays as it was sent', () => {
    const own = { _id: 1, group_id: [{ some_name: 2, otherName: 3 }], __x__: null };
    expect(fromWire(person)({ settings: own, extra_data: own })).toEqual({ settings: own, extraData: own });
    expect(toWire(person)({ settings: own, extraData: own })).toEqual({ settings: own, extra_data: own });
    for (const open of [z.json(), z.any(), z.record(z.string(), z.object({ aB: z.string() }))]) {
      expect(fromWire(open)(own)).toBe(own);
    }
    const loose = z.looseObject({ groupId: z.unknown() });
    expect(fromWire(loose)({ group_id: own, other_name: own })).toEqual({ groupId: own, other_name: own });
  });

  test('then a strict schema gets to see what it does not know', () => {
    const strict = z.strictObject({ groupId: z.number() });
    expect(strict.safeParse(fromWire(strict)({ group_id: 1 })).success).toBe(true);
    expect(strict.safeParse(fromWire(strict)({ group_id: 1, more_of_it: 1 })).success).toBe(false);
    // The name in the code is none on the wire.
    expect(strict.safeParse(fromWire(strict)({ groupId: 1 })).success).toBe(false);
    expect(strict.safeParse(fromWire(strict)({ group_id: 1, groupId: 2 })).success).toBe(false);
  });

  test('then the schemas of a choice, of both, and before and after a change are all known', () => {
    const either = z.union([
      z.object({ aB: z.object({ cD: z.string() }) }),
      z.object({ aB: z.object({ eF: z.string() }) }),
    ]);
    expect(fromWire(either)({ a_b: { c_d: 1, e_f: 2 } })).toEqual({ aB: { cD: 1, eF: 2 } });
    const both = z.intersection(z.object({ aB: z.string() }), z.object({ cD: z.string() }));
    expect(fromWire(both)({ a_b: 1, c_d: 2 })).toEqual({ aB: 1, cD: 2 });
    const changed = z.preprocess((value) => value, z.object({ aB: z.string() })).transform((value) => value);
    expect(fromWire(changed)({ a_b: 1 })).toEqual({ aB: 1 });
    const filled = z.object({ aB: z.object({ cD: z.string() }).readonly().prefault({ cD: '' }) });
    expect(fromWire(filled)({ a_b: { c_d: 1 } })).toEqual({ aB: { cD: 1 } });
  });

  test('then a value of another kind stays for the schema to refuse', () => {
    for (const value of [null, undefined, 0, 'text', [[]], [{ group_id: 1 }]]) {
      expect(fromWire(person)(value)).toEqual(value);
    }
    expect(fromWire(person)({ groups: { group_id: 1 }, last_platform: ['x'] })).toEqual({
      groups: { group_id: 1 },
      lastPlatform: ['x'],
    });
  });
});

describe('When somebody sends names that no schema knows', () => {
  test('then they are not looked at', () => {
    const trap = new Proxy(
      { login_user_id: 'taro' },
      {
        ownKeys() {
          throw new Error('The names were listed');
        },
      },
    );
    expect(fromWire(person)(trap)).toEqual({ loginUserId: 'taro' });
    expect(fromWire(person)({ loginUserId: 'x', login__user_id: 'x', ['_'.repeat(1_000_000)]: 1 })).toEqual(
      {},
    );
  });

  test('then inherited ones are none of theirs', () => {
    const named = z.object({ constructor: z.unknown(), toString: z.unknown(), aB: z.unknown() });
    expect(fromWire(named)({})).toEqual({});
    expect(fromWire(named)(JSON.parse('{"__proto__":{"a_b":1}}'))).toEqual({});
  });
});

test('When a list is longer than its schema allows, then the rest is not looked at, and it is refused as before', () => {
  const list = z.object({ ids: z.array(z.object({ groupId: z.number() })).max(2) });
  let looks = 0;
  const item = {
    get group_id() {
      looks += 1;
      return 1;
    },
  };
  const read = fromWire(list)({ ids: Array.from({ length: 100_000 }, () => item) });
  expect(looks).toBe(3);
  expect(list.safeParse(read).error?.issues).toMatchObject([{ code: 'too_big', maximum: 2, path: ['ids'] }]);
  expect(fromWire(list)({ ids: [{ group_id: 1 }] })).toEqual({ ids: [{ groupId: 1 }] });
});

describe("When a schema's names are somebody else's", () => {
  const theirs = z.object({ userName: z.string(), list: z.array(z.object({ givenName: z.string() })) });
  const value = { userName: 'a', list: [{ givenName: 'b', other_name: 'c' }], firstName: 'd' };

  test('then they stay at every depth, wherever it stands', () => {
    const wrapped = z.object({ ourName: z.string(), theirThing: verbatim(theirs).nullable().optional() });
    const wire = { our_name: 'x', their_thing: value };
    expect(fromWire(wrapped)(wire)).toEqual({ ourName: 'x', theirThing: value });
    expect(toWire(wrapped)({ ourName: 'x', theirThing: value })).toEqual(wire);
    // The schema that it was made of is as it was.
    expect(toWire(theirs)({ userName: 'a' })).toEqual({ user_name: 'a' });
    expect(Object.keys(Object(wireSchema(verbatim(theirs), 'input').properties))).toEqual([
      'userName',
      'list',
    ]);
  });

  test('then the path of a field has the names that are there', () => {
    const body = z.object({ ourName: z.string(), parts: z.array(z.object({ partNumber: z.number() })) });
    const schemas = [body.extend({ theirs: verbatim(theirs), freeNames: z.record(z.string(), z.unknown()) })];
    for (const [inCode, onWire] of [
      ['ourName', 'our_name'],
      ['parts.0.partNumber', 'parts.0.part_number'],
      ['theirs.list.0.givenName', 'theirs.list.0.givenName'],
      ['freeNames.someName.other_name', 'free_names.someName.other_name'],
      ['notInTheSchema', 'not_in_the_schema'],
    ] as const) {
      expect(renamePath(inCode, schemas, 'to')).toBe(onWire);
      expect(renamePath(onWire, schemas, 'from')).toBe(inCode);
    }
    expect(renamePath('listKey', [verbatim(theirs), z.object({ listKey: z.string() })], 'to')).toBe(
      'list_key',
    );
    expect(renamePath('userName', [verbatim(theirs), z.object({ listKey: z.string() })], 'to')).toBe(
      'userName',
    );
  });
});

test('A text that names a field is the name that it has on the wire, and no other', () => {
  const list = z.object({ orderKey: fieldName(['id', 'loginUserId']).default('id') });
  const read = (value: unknown) => list.safeParse(fromWire(list)(value)).data;
  expect(read({ order_key: 'login_user_id' })).toEqual({ orderKey: 'loginUserId' });
  expect(read({})).toEqual({ orderKey: 'id' });
  for (const other of ['loginUserId', 'login_userid', '', 'toString', 5, ['id']])
    expect(read({ order_key: other })).toBeUndefined();
  expect(toWire(list)({ orderKey: 'loginUserId' })).toEqual({ order_key: 'login_user_id' });
  expect(wireSchema(list, 'input').properties).toEqual({
    order_key: { type: 'string', enum: ['id', 'login_user_id'], default: 'id' },
  });
});

test('Whatever a contract takes or answers comes back from the wire as it went', () => {
  for (const { body, query, response } of allRoutes) {
    for (const schema of [body, query, response].flatMap((one) =>
      one instanceof z.ZodObject ? [one] : [],
    )) {
      const names = Object.keys(schema.shape);
      fc.assert(
        fc.property(fc.subarray(names), (chosen) => {
          const textOf = (name: string) => (holdsFieldName(schema.shape[name]) ? 'id' : name);
          const value = Object.fromEntries(chosen.map((name) => [name, textOf(name)]));
          expect(fromWire(schema)(toWire(schema)(value))).toEqual(value);
        }),
        { numRuns: 5 },
      );
    }
  }
});
