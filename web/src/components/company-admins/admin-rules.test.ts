import { describe, expect, it } from 'vitest';
import {
  adminSchema,
  adminValuesOf,
  adminWithoutEmailSchema,
  editedAdminBody,
  newAdminBody,
} from './admin-rules.ts';

const values = { name: 'Boss', email: 'boss@example.com', password: '', createUserFlag: true };

describe('the form of a company admin', () => {
  it('sends a password only when one was typed', () => {
    expect(newAdminBody(values)).toEqual({ name: 'Boss', email: 'boss@example.com', createUserFlag: true });
    expect(newAdminBody({ ...values, password: 'Passw0rd' })).toMatchObject({ password: 'Passw0rd' });
    expect(editedAdminBody({ ...values, email: '' })).toEqual({ name: 'Boss' });
  });

  it('asks for an address, but not of one who signs in without', () => {
    const admin = {
      id: 1,
      name: 'Boss',
      email: null,
      loginUserId: 'boss',
      createUserFlag: true,
      twoFactor: false,
      lastLoginAt: null,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    };
    expect(adminSchema.safeParse(adminValuesOf(admin)).success).toBe(false);
    expect(adminWithoutEmailSchema.safeParse(adminValuesOf(admin)).success).toBe(true);
    expect(adminSchema.safeParse({ ...values, password: 'short' }).success).toBe(false);
  });

  it('refuses a name that would be shown in another order', () => {
    const { error } = adminSchema.safeParse({ ...values, name: 'a\u202Eb' });
    expect(error?.issues).toMatchObject([{ path: ['name'], message: 'controlCharacter' }]);
  });
});
