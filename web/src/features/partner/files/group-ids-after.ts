import type { FileRow } from '../../../components/files/file.ts';

/** What becomes of the groups that a file has when others are assigned to it. */
export const ways = ['add', 'replace'] as const;
export type Way = (typeof ways)[number];

/** The group of everyone. */
const everyone = 0;

/** The groups of a file once `groupIds` are assigned to it; undefined if nothing changes for anybody. */
export function groupIdsAfter(
  { groups }: Pick<FileRow, 'groups'>,
  way: Way,
  groupIds: readonly number[],
): number[] | undefined {
  const before = groups.map(({ id }) => id);
  if (way === 'add' && before.includes(everyone)) return undefined;
  const after = [...new Set(way === 'add' ? [...before, ...groupIds] : groupIds)];
  const isSame = after.length === before.length && after.every((id) => before.includes(id));
  return isSame ? undefined : after;
}
