import { describe, expect, it } from 'vitest';
import { editedLogin, editedPassword, type Login, newLogin, newUserPassword } from './login.ts';

const byEmail: Login = { email: 'a@example.com', loginUserId: null };
const byId: Login = { email: null, loginUserId: 'taro' };
const refusal = (code: string, ...fields: string[]) =>
  expect.objectContaining({
    code,
    fields: fields.map((field) => expect.objectContaining({ field })),
  });

describe('The login of a new user', () => {
  it('is an e-mail address or a login user id', () => {
    expect(newLogin({ email: 'a@example.com', loginUserId: null })).toEqual(byEmail);
    expect(newLogin({ loginUserId: 'taro' })).toEqual(byId);
  });
  it('must be one of them', () => {
    expect(() => newLogin({})).toThrow(refusal('E40006', 'email', 'loginUserId'));
    expect(() => newLogin({ email: null, loginUserId: null })).toThrow(
      refusal('E40006', 'email', 'loginUserId'),
    );
  });
  it('must not be both', () => {
    expect(() => newLogin({ email: 'a@example.com', loginUserId: 'taro' })).toThrow(
      refusal('E40002', 'loginUserId'),
    );
  });
});

describe('The login after an edit', () => {
  it('stays when nothing is said, and may change within its type', () => {
    expect(editedLogin(byEmail, {})).toEqual(byEmail);
    expect(editedLogin(byId, { email: null })).toEqual(byId);
    expect(editedLogin(byEmail, { email: 'b@example.com', loginUserId: null })).toEqual({
      email: 'b@example.com',
      loginUserId: null,
    });
    expect(editedLogin(byId, { loginUserId: 'jiro' })).toEqual({ email: null, loginUserId: 'jiro' });
  });
  it('does not change its type', () => {
    expect(() => editedLogin(byEmail, { loginUserId: 'taro' })).toThrow(refusal('E40009', 'loginUserId'));
    expect(() => editedLogin(byEmail, { email: null, loginUserId: 'taro' })).toThrow(
      refusal('E40009', 'loginUserId'),
    );
    expect(() => editedLogin(byId, { email: 'a@example.com' })).toThrow(refusal('E40009', 'email'));
  });
  it('is not cleared', () => {
    expect(() => editedLogin(byEmail, { email: null })).toThrow(refusal('E40006', 'email', 'loginUserId'));
    expect(() => editedLogin(byId, { loginUserId: null })).toThrow(refusal('E40006', 'email', 'loginUserId'));
  });
  it('is not both', () => {
    expect(() => editedLogin(byId, { email: 'a@example.com', loginUserId: 'taro' })).toThrow(
      refusal('E40002', 'loginUserId'),
    );
  });
});

describe('The password', () => {
  it('goes with a login user id, and must on creating', () => {
    expect(newUserPassword(byId, 'Passw0rd')).toBe('Passw0rd');
    expect(() => newUserPassword(byId, '')).toThrow(refusal('E40007', 'password'));
    expect(() => newUserPassword(byId, undefined)).toThrow(refusal('E40007', 'password'));
    expect(editedPassword(byId, '')).toBeNull();
    expect(editedPassword(byId, null)).toBeNull();
  });
  it('does not go with an e-mail address', () => {
    expect(newUserPassword(byEmail, '')).toBeNull();
    expect(() => newUserPassword(byEmail, 'Passw0rd')).toThrow(refusal('E40002', 'password'));
    expect(() => editedPassword(byEmail, 'Passw0rd')).toThrow(refusal('E40002', 'password'));
  });
});
