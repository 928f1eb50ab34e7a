import { expect, it } from 'vitest';
import { requireEmpty } from './group.ts';

it('A group is deleted only when it has neither users nor files', () => {
  requireEmpty({ users: 0, files: 0 });
  expect(() => requireEmpty({ users: 1, files: 1 })).toThrow(expect.objectContaining({ code: 'E40027' }));
  expect(() => requireEmpty({ users: 0, files: 1 })).toThrow(expect.objectContaining({ code: 'E40028' }));
});
