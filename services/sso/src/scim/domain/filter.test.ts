import { AppError } from '@portal/kernel';
import { describe, expect, test } from 'vitest';
import { readFilter } from './filter.ts';

const text = (field: string, operator: string, value: string) => ({ test: 'text', field, operator, value });

describe('A filter of users', () => {
  test.each<[string, object[]]>([
    ['userName eq "bjensen"', [text('login', 'eq', 'bjensen')]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:USERNAME Sw "J"', [text('login', 'sw', 'J')]],
    ['externalId ne "a\\"b\\\\c\\u00e9"', [text('externalId', 'ne', 'a"b\\cé')]],
    ['name[formatted co "x"]', [text('name', 'co', 'x')]],
    ['not (active eq true)', [{ test: 'active', value: true }, { test: 'not' }]],
    ['active eq "False"', [{ test: 'active', value: false }]],
    ['active ne true', [{ test: 'active', value: false }]],
    ['externalId pr', [{ test: 'present', field: 'externalId' }]],
    ['externalId eq null', [{ test: 'present', field: 'externalId' }, { test: 'not' }]],
    [
      'meta.lastModified gt "2011-05-13T04:42:34+09:00"',
      [{ test: 'time', field: 'updatedAt', operator: 'gt', value: '2011-05-12T19:42:34.000Z' }],
    ],
    ['meta.resourceType eq "User"', [{ test: 'always', value: true }]],
    [
      'userName eq "a" or displayName eq "b" and id eq "3"',
      [
        text('login', 'eq', 'a'),
        text('name', 'eq', 'b'),
        text('id', 'eq', '3'),
        { test: 'and' },
        { test: 'or' },
      ],
    ],
  ])('%s is read', (filter, steps) => {
    expect(readFilter(filter, 'user')).toEqual(steps);
  });

  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq bjensen',
    'userName eq "open',
    'userName xx "a"',
    'nickName eq "a"',
    'emails[type eq "work"] pr',
    'members eq "1"',
    'active gt true',
    'active co "t"',
    'meta.created co "2011"',
    'meta.created gt "yesterday"',
    'userName eq 5',
    '(userName eq "a"',
    'userName eq "a" and',
    '__proto__ eq "a"',
    'constructor pr',
    `${'('.repeat(11)}active eq true${')'.repeat(11)}`,
    Array.from({ length: 41 }, () => 'active eq true').join(' and '),
    `${'not '.repeat(50)}active eq true`,
    'userName eq "a\\"',
    `active eq true${' '.repeat(2_000)}`,
  ])('%s is refused', (filter) => {
    expect(() => readFilter(filter, 'user')).toThrow(AppError);
  });

  test('takes no longer than its length, whatever it holds', () => {
    const began = performance.now();
    for (const piece of ['\n', '\\"', '"\n', '" ', 'a.', '1e', '( ', '\\']) {
      const filter = `userName eq "${piece.repeat(Math.floor(1_900 / piece.length))}`;
      expect(() => readFilter(filter, 'user')).toThrow(AppError);
    }
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('A filter of groups', () => {
  test.each<[string, object[]]>([
    ['displayName eq "Sales"', [text('name', 'eq', 'Sales')]],
    ['members eq "7"', [{ test: 'member', userId: 7 }]],
    [
      'members[value eq "7" and type eq "User"]',
      [{ test: 'member', userId: 7 }, { test: 'always', value: true }, { test: 'and' }],
    ],
    ['members.value eq "x"', [{ test: 'always', value: false }]],
    ['members pr', [{ test: 'present', field: 'members' }]],
  ])('%s is read', (filter, steps) => {
    expect(readFilter(filter, 'group')).toEqual(steps);
  });

  test.each([
    'userName eq "a"',
    'active eq true',
    'members co "7"',
    'members[value eq "1" and value eq "2"]',
  ])('%s is refused', (filter) => {
    expect(() => readFilter(filter, 'group')).toThrow(AppError);
  });
});
