import { describe, expect, test } from 'vitest';
import { readGroupPatch } from './group-input.ts';

const patch = (...Operations: object[]) => readGroupPatch({ Operations });
const members = (...ids: number[]) => ids.map((id) => ({ value: String(id) }));

describe('The operations of a PATCH of a group', () => {
  test('of one member the last counts', () => {
    expect(
      patch(
        { op: 'add', path: 'members', value: members(1, 2) },
        { op: 'remove', path: 'members[value eq "1"]' },
        { op: 'Remove', path: 'members', value: members(3) },
        { op: 'ADD', path: 'Members', value: members(3) },
      ),
    ).toEqual({ add: [2, 3], remove: [1] });
  });

  test('replacing and emptying forget what came before', () => {
    expect(
      patch(
        { op: 'add', path: 'members', value: members(1) },
        { op: 'replace', path: 'members', value: members(2, 3) },
        { op: 'remove', path: 'members[value eq "3" or value eq "4"]' },
      ),
    ).toEqual({ keepOnly: [2, 3], remove: [3, 4] });
    expect(
      patch({ op: 'add', path: 'members', value: members(1) }, { op: 'remove', path: 'members' }),
    ).toEqual({
      keepOnly: [],
    });
  });

  test.each([
    ['type eq "User"', { keepOnly: [] }],
    ['type eq "user" or value eq "5"', { keepOnly: [] }],
    ['type eq "Group"', {}],
    ['value eq "5" and type eq "User"', { remove: [5] }],
    ['value eq "5" and type eq "Group"', {}],
    ['type eq "Group" or value eq "5" or value eq "6"', { remove: [5, 6] }],
    ['value eq "nobody"', {}],
  ])('members[%s] takes out whom it finds', (filter, changes) => {
    expect(patch({ op: 'remove', path: `members[${filter}]` })).toEqual(changes);
  });

  test.each([
    ['Operations', 'path'],
    ['operations', 'path'],
    ['Operations', 'Path'],
  ])('in %s, %s is refused for its length', (operations, path) => {
    const long = `members[value eq "5"${' '.repeat(2_000)}]`;
    const refusal = expect.objectContaining({
      fields: [expect.objectContaining({ field: 'path' })],
    });
    expect(() => readGroupPatch({ [operations]: [{ op: 'remove', [path]: long }] })).toThrow(refusal);
  });

  test('an object names several attributes, and what is not to be changed beside them', () => {
    expect(
      patch({ op: 'replace', value: { id: '9', DisplayName: 'New', externalId: null, members: members(5) } }),
    ).toEqual({ name: 'New', externalId: null, keepOnly: [5] });
  });
});
