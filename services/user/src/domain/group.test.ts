import { expect, it } from 'vitest';
import { requireEmpty } from './group.ts';

it('A group is deleted only when it has neither users nor files', () => {
  requireEmpty({ hasUsers: false, hasFiles: false });
  expect(() => requireEmpty({ hasUsers: true, hasFiles: true })).toThrow(
    expect.objectContaining({ code: 'E40027' }),
  );
  expect(() => requireEmpty({ hasUsers: false, hasFiles: true })).toThrow(
    expect.objectContaining({ code: 'E40028' }),
  );
});
