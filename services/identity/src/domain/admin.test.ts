import { adminRoles } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import {
  platform,
  requireMayChange,
  requireMayGive,
  requireNotLowered,
  requireOther,
  requireReach,
} from './admin.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const giver = { adminId: 7, role: 63, unitId: 1 };

describe('The role of an administrator', () => {
  it('is one of the cumulative ones', () => {
    for (const role of adminRoles) requireMayGive({ role, unitId: null }, platform);
    for (const role of [0, 2, 64, 128, -1]) {
      expect(() => requireMayGive({ role, unitId: null }, platform)).toThrow(code('E40002'));
    }
  });

  it('has no bit that the giver lacks', () => {
    requireMayGive({ role: 63, unitId: 1 }, giver);
    expect(() => requireMayGive({ role: 127, unitId: 1 }, giver)).toThrow(code('E40301'));
    expect(() => requireMayGive({ role: 63, unitId: 1 }, { ...giver, role: 31 })).toThrow(code('E40301'));
  });

  it('is never that of the platform in a unit, whoever gives it', () => {
    expect(() => requireMayGive({ role: 127, unitId: 1 }, platform)).toThrow(code('E40301'));
  });

  it('protects from those with fewer rights', () => {
    requireMayChange({ id: 8, role: 63 }, giver);
    expect(() => requireMayChange({ id: 8, role: 127 }, giver)).toThrow(code('E40301'));
  });
});

describe('An administrator of a unit', () => {
  it('reaches their own unit alone', () => {
    requireReach(giver, 1);
    expect(() => requireReach(giver, 2)).toThrow(code('E40401'));
    expect(() => requireReach(giver, null)).toThrow(code('E40301'));
  });
});

describe('Nobody', () => {
  it('lowers themselves; others they may', () => {
    requireNotLowered({ id: 7, role: 63 }, 63, giver);
    requireNotLowered({ id: 8, role: 63 }, 1, giver);
    expect(() => requireNotLowered({ id: 7, role: 63 }, 31, giver)).toThrow(code('E40301'));
  });

  it('deletes themselves', () => {
    requireOther({ id: 8 }, giver);
    expect(() => requireOther({ id: 7 }, giver)).toThrow(code('E40301'));
  });
});
