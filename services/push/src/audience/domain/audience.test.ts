import { expect, test } from 'vitest';
import { audiencesOf } from './audience.ts';

test('A notification to groups is read group by group, and everyone once', () => {
  const nobody = { groupIds: [], userIds: [] };
  expect(audiencesOf({ ...nobody, target: 'all' })).toEqual(['all']);
  expect(audiencesOf({ ...nobody, target: 'groups', groupIds: [3, 4] })).toEqual([
    { groupId: 3 },
    { groupId: 4 },
  ]);
  expect(audiencesOf({ ...nobody, target: 'groups', groupIds: [3, 0] })).toEqual(['all']);
  expect(audiencesOf({ ...nobody, target: 'users', userIds: [1, 2] })).toEqual([{ userIds: [1, 2] }]);
});
