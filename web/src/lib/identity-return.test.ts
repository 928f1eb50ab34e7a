import { beforeEach, describe, expect, test } from 'vitest';
import { clearIdentityReturn, emailIn, identityAddress, identityReturn } from './identity-return.ts';

const comeBack = (fragment: Record<string, string>) => {
  window.history.replaceState(null, '', `/partner/login?a=1#${new URLSearchParams(fragment).toString()}`);
  const returned = identityReturn();
  // As often as a page is rendered before it stands.
  expect(identityReturn()).toEqual(returned);
  clearIdentityReturn();
  return returned;
};
const stateOf = (address: string) => new URL(address, 'http://x').searchParams.get('state') ?? '';

beforeEach(() => localStorage.clear());

describe('A browser that goes to an identity provider', () => {
  test('takes a state along that only it knows, and comes back with the tokens once', () => {
    const address = identityAddress('microsoft', '/partner/login');
    const state = stateOf(address);
    expect(state).toMatch(/^m[A-Za-z0-9]{10}$/);
    expect(address).toContain('/v1/oauth2/microsoft/authorize?');
    expect(comeBack({ state, access_token: 'a', id_token: 'i', expiry: '60' })).toEqual({
      provider: 'microsoft',
      accessToken: 'a',
      idToken: 'i',
      expiry: 60,
    });
    expect(window.location.href).not.toContain('access_token');
    expect(window.location.search).toBe('?a=1');
    expect(identityReturn()).toBeUndefined();
  });

  test('drops the tokens of another browser, and those that come twice', () => {
    const state = stateOf(identityAddress('google', '/partner/login'));
    expect(comeBack({ state: 'gAAAAAAAAAA', access_token: 'a', id_token: 'i' })).toEqual({ error: 'E40102' });
    expect(comeBack({ state, access_token: 'a', id_token: 'i' })).toEqual({ error: 'E40102' });
  });

  test('is told why it has no tokens', () => {
    const state = stateOf(identityAddress('google', '/partner/login'));
    expect(comeBack({ state, error: 'E50301' })).toEqual({ error: 'E50301' });
  });
});

test('The address of an id_token fills in a form, and one that is none fills in nothing', () => {
  const payload = btoa(JSON.stringify({ email: 'a@example.com' })).replace(/=/g, '');
  expect(emailIn(`x.${payload}.y`)).toBe('a@example.com');
  for (const wrong of [null, '', 'x', 'x.%%.y', 'x.e30.y']) expect(emailIn(wrong)).toBe('');
});
