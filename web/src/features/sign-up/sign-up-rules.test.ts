import { describe, expect, test } from 'vitest';
import type { SignUpValues } from './sign-up-flows.ts';
import { signUpBody, signUpSchemas } from './sign-up-rules.ts';

const values: SignUpValues = {
  companyName: 'New Company',
  tel: '03-1234-5678',
  lastName: 'Yamada',
  firstName: 'Hanako',
  email: 'hanako@example.com',
  password: 'Orange-boat-42',
  confirmation: 'Orange-boat-42',
  purpose: 'in_house',
  partnerCode: '',
  agreedToTerms: true,
};

const wrong = (kind: 'free' | 'trial', given: Partial<SignUpValues>) => {
  const { error } = signUpSchemas[kind].safeParse({ ...values, ...given });
  return error?.issues.map(({ message, path }) => [path.join('.'), message]) ?? [];
};

describe('The form of a sign-up', () => {
  test.each<[Partial<SignUpValues>, string, string]>([
    [{ email: 'nobody' }, 'email', 'email'],
    [{ tel: 'abc' }, 'tel', 'tel'],
    [{ purpose: '' }, 'purpose', 'required'],
    [{ agreedToTerms: false }, 'agreedToTerms', 'agreement'],
  ])('refuses %j', (given, field, message) => {
    expect(wrong('trial', given)).toContainEqual([field, message]);
    expect(wrong('free', given)).toContainEqual([field, message]);
  });

  test('asks for a password for a trial alone', () => {
    expect(wrong('trial', { confirmation: 'another' })).toEqual([['confirmation', 'passwordUnmatch']]);
    expect(wrong('trial', { password: 'short', confirmation: 'short' })).toEqual([
      ['password', 'password8char'],
    ]);
    expect(wrong('free', { password: '', confirmation: '' })).toEqual([]);
    expect(wrong('trial', {})).toEqual([]);
  });

  test('has the code of the company in digits, or none', () => {
    expect(wrong('trial', { partnerCode: '1234' })).toEqual([]);
    expect(wrong('trial', { partnerCode: 'ab' }).map(([field]) => field)).toContain('partnerCode');
  });

  test('sends what the address says of the unit along, and nothing that is no id', () => {
    const search = new URLSearchParams('outsourcing_id=3&app_id=7&inherit_parent_expiry=true');
    expect(signUpBody(values, search)).toMatchObject({
      outsourcingId: 3,
      appId: 7,
      inheritParentExpiry: true,
    });
    const other = new URLSearchParams('outsourcing_id=x&app_id=-1');
    expect(signUpBody(values, other)).toMatchObject({
      outsourcingId: 0,
      appId: 0,
      inheritParentExpiry: false,
    });
    expect(signUpBody(values, other)).not.toHaveProperty('password');
  });
});
