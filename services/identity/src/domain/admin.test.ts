import { adminRoles } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { platform, requireMayGive } from './admin.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('The role of a new administrator', () => {
  it('is one of the cumulative ones', () => {
    for (const role of adminRoles) requireMayGive({ role, unitId: null }, platform);
    for (const role of [0, 2, 64, 128, -1]) {
      expect(() => requireMayGive({ role, unitId: null }, platform)).toThrow(code('E40002'));
    }
  });

  it('has no bit that the giver lacks', () => {
    const giver = { role: 63, unitId: 1 };
    requireMayGive({ role: 63, unitId: 1 }, giver);
    expect(() => requireMayGive({ role: 127, unitId: 1 }, giver)).toThrow(code('E40301'));
  });

  it('is given by a unit administrator in their own unit alone', () => {
    const giver = { role: 63, unitId: 1 };
    expect(() => requireMayGive({ role: 1, unitId: 2 }, giver)).toThrow(code('E40401'));
    expect(() => requireMayGive({ role: 1, unitId: null }, giver)).toThrow(code('E40401'));
  });
});
