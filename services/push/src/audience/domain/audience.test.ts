import { expect, test } from 'vitest';
import { audienceOf } from './audience.ts';

test('A notification goes to everyone, to one group or several, or to users', () => {
  const nobody = { groupIds: [], userIds: [] };
  expect(audienceOf({ ...nobody, target: 'all' })).toBe('all');
  expect(audienceOf({ ...nobody, target: 'groups', groupIds: [3] })).toEqual({ groupId: 3 });
  expect(audienceOf({ ...nobody, target: 'groups', groupIds: [3, 4] })).toEqual({ groupIds: [3, 4] });
  expect(audienceOf({ ...nobody, target: 'groups', groupIds: [0] })).toBe('all');
  expect(audienceOf({ ...nobody, target: 'groups', groupIds: [3, 0] })).toBe('all');
  expect(audienceOf({ ...nobody, target: 'groups' })).toEqual({ groupIds: [] });
  expect(audienceOf({ ...nobody, target: 'users', userIds: [1, 2] })).toEqual({ userIds: [1, 2] });
});
