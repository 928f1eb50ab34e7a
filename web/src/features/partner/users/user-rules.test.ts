import { userRoleBits } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { contractResolver } from '../../../lib/contract-form.ts';
import type { UserValues } from './user-flows.ts';
import {
  editedSelfSchema,
  editedUserBody,
  editedUserSchema,
  emptyUser,
  newUserSchema,
  userBody,
} from './user-rules.ts';

const byEmail: UserValues = { ...emptyUser, name: 'Taro', email: 'taro@example.com' };
const byId: UserValues = {
  ...emptyUser,
  name: 'Taro',
  loginIdType: 'loginUserId',
  loginUserId: 'taro-1',
  password: 'Passw0rd',
};

async function faultsOf(schema: typeof newUserSchema, values: UserValues) {
  const { errors } = await contractResolver(schema)(values, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  });
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error?.type]));
}

describe('When the form of a user is checked', () => {
  it.each<[string, UserValues, object]>([
    ['a user with an e-mail address', byEmail, {}],
    ['a user with a user ID', byId, {}],
    ['nothing typed', emptyUser, { name: 'required', email: 'required' }],
    [
      'nothing typed for a user ID',
      { ...emptyUser, loginIdType: 'loginUserId' },
      { name: 'required', loginUserId: 'required', password: 'required' },
    ],
    [
      'a name that would be shown in another order',
      { ...byEmail, name: 'a\u202Eb' },
      { name: 'controlCharacter' },
    ],
    ['no address', { ...byEmail, email: 'taro' }, { email: 'email' }],
    ['an odd user ID', { ...byId, loginUserId: '太郎' }, { loginUserId: 'invaliduserid' }],
    ['a weak password', { ...byId, password: 'password' }, { password: 'password8char' }],
    ['no JSON', { ...byEmail, json: '{' }, { json: 'invalidjson' }],
    ['JSON', { ...byEmail, json: '{"a": 1}' }, {}],
    [
      'a limit without a number',
      { ...byEmail, isMaxDeviceCountLimited: true },
      { maxDeviceCount: 'required' },
    ],
    [
      'a limit that is no number',
      { ...byEmail, isMaxDeviceCountLimited: true, maxDeviceCount: '-1' },
      { maxDeviceCount: 'outOfRange' },
    ],
    [
      'a limit beyond all',
      { ...byEmail, isMaxDeviceCountLimited: true, maxDeviceCount: '1001' },
      { maxDeviceCount: 'outOfRange' },
    ],
    ['a limit that is off', { ...byEmail, maxDeviceCount: 'x' }, {}],
    ['what was typed for the other way to sign in', { ...byEmail, loginUserId: '?', password: 'x' }, {}],
  ])('then %s is told as it is', async (_, values, faults) => {
    expect(await faultsOf(newUserSchema, values)).toEqual(faults);
  });

  it('then an edit needs no password, but a good one if any', async () => {
    expect(await faultsOf(editedUserSchema, { ...byId, password: '' })).toEqual({});
    expect(await faultsOf(editedUserSchema, { ...byId, password: 'short1' })).toEqual({
      password: 'password8char',
    });
  });

  it('then an admin keeps the role of one, whatever else is taken from them or given', async () => {
    const self = { ...byId, password: '', role: userRoleBits.admin };
    expect(await faultsOf(editedSelfSchema, self)).toEqual({});
    expect(await faultsOf(editedSelfSchema, { ...self, role: self.role | 16 })).toEqual({});
    expect(await faultsOf(editedSelfSchema, { ...self, role: 16 })).toEqual({ role: 'ownRole' });
  });
});

describe('When a user is sent', () => {
  it('then a password goes with a user ID alone, and only when typed', () => {
    expect(userBody({ ...byEmail, password: 'Passw0rd', loginUserId: 'x' }, 'device')).toEqual({
      name: 'Taro',
      role: 0,
      groupIds: [],
      json: '',
      email: 'taro@example.com',
    });
    expect(userBody(byId, 'device')).toMatchObject({ loginUserId: 'taro-1', password: 'Passw0rd' });
    expect(userBody({ ...byId, password: '' }, 'device')).not.toHaveProperty('password');
  });

  it('then the device limit goes only where licences count users', () => {
    const limited = { ...byEmail, isMaxDeviceCountLimited: true, maxDeviceCount: '3' };
    expect(userBody(limited, 'user')).toMatchObject({ maxDeviceCountLimitedFlag: true, maxDeviceCount: 3 });
    expect(userBody({ ...limited, isMaxDeviceCountLimited: false }, 'user')).toMatchObject({
      maxDeviceCountLimitedFlag: false,
      maxDeviceCount: 0,
    });
    expect(userBody(limited, 'device')).not.toHaveProperty('maxDeviceCount');
  });

  it('then an edited device limit goes whole, whichever of its fields was edited', () => {
    const unlimited = { ...byEmail, isMaxDeviceCountLimited: false, maxDeviceCount: '' };
    const limited = (maxDeviceCount: string) => ({
      ...byEmail,
      isMaxDeviceCountLimited: true,
      maxDeviceCount,
    });
    // What is stored of a limit that does not hold may be another number.
    expect(editedUserBody(limited('0'), unlimited, 'user')).toEqual({
      maxDeviceCountLimitedFlag: true,
      maxDeviceCount: 0,
    });
    expect(editedUserBody(limited('3'), limited('5'), 'user')).toEqual({
      maxDeviceCountLimitedFlag: true,
      maxDeviceCount: 3,
    });
    expect(editedUserBody({ ...limited('3'), name: 'Jiro' }, limited('3'), 'user')).toEqual({ name: 'Jiro' });
    expect(editedUserBody(limited('3'), unlimited, 'device')).toEqual({});
  });
});
