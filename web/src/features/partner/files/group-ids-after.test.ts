import { expect, it } from 'vitest';
import { groupIdsAfter } from './group-ids-after.ts';

const withGroups = (...ids: number[]) => ({ groups: ids.map((id) => ({ id, name: `G${id}` })) });

it.each([
  ['keeps those that are there', withGroups(3), 'add', [4], [3, 4]],
  ['changes nothing where all are there', withGroups(3, 4), 'add', [4], undefined],
  ['leaves a file for everyone as it is', withGroups(0), 'add', [4], undefined],
  ['replaces those that are there', withGroups(3, 4), 'replace', [4], [4]],
  ['replaces everyone', withGroups(0), 'replace', [4], [4]],
  ['changes nothing where they are the same', withGroups(4, 3), 'replace', [3, 4], undefined],
] as const)('%s', (_, file, way, chosen, after) => {
  expect(groupIdsAfter(file, way, chosen)).toEqual(after);
});
