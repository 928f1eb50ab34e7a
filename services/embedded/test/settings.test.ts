import { describe, expect, test } from 'vitest';
import { readSettings } from '../src/settings.ts';

describe('When nothing is set', () => {
  test('then the product runs as a demo on this machine alone', () => {
    expect(readSettings({}).settings).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      demo: true,
      apiKeys: { apiKey: 'demo-api-key', signUpKey: 'demo-signup-key' },
      clockOffsetMs: 0,
      rateLimited: true,
    });
  });
  test('then proxies are addresses and networks', () => {
    const { settings } = readSettings({ TRUSTED_PROXIES: '10.0.0.0/8, 192.168.0.7,fd00::/8' });
    expect(settings?.trustedProxies).toEqual(['10.0.0.0/8', '192.168.0.7', 'fd00::/8']);
    expect(readSettings({}).settings?.trustedProxies).toEqual([]);
  });
  test('then an empty value is the same as an absent one', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' }).settings).toMatchObject({ port: 8080 });
  });
});

describe('The key of the sign-up', () => {
  const keysOf = (env: Record<string, string>) => readSettings(env).settings?.apiKeys.signUpKey;
  const real = { DEMO: '0', API_KEY: 'a-key-of-our-own' };
  test('is that of the demo unless told, and none where it is empty or there is no demo', () => {
    expect(keysOf({ SIGNUP_KEY: 'our-sign-up' })).toBe('our-sign-up');
    expect(keysOf({ SIGNUP_KEY: '' })).toBeUndefined();
    expect(keysOf(real)).toBeUndefined();
    expect(keysOf({ ...real, SIGNUP_KEY: 'our-sign-up' })).toBe('our-sign-up');
  });
  test('is neither the API key nor known from the demo', () => {
    const problem = (env: Record<string, string>) => readSettings(env).problems ?? [];
    expect(problem({ API_KEY: 'one-key-for-all', SIGNUP_KEY: 'one-key-for-all' })).toEqual([
      'SIGNUP_KEY must differ from API_KEY',
    ]);
    expect(problem({ ...real, SIGNUP_KEY: 'demo-signup-key' })).toEqual([
      'SIGNUP_KEY must not be a secret of the demo or of development when DEMO=0',
    ]);
  });
});

describe('When a setting is wrong', () => {
  test.each([
    ['PORT', 'x'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'ftp://x'],
    ['DATABASE_URL', 'mysql://x'],
    ['DEMO', 'yes'],
    ['CLOCK_OFFSET_MS', '1.5'],
    ['RATE_LIMIT', 'maybe'],
    ['TRUSTED_PROXIES', 'ingress'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['EVENT_RETRY_LONGEST_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['API_KEY', 'short'],
    ['SIGNUP_KEY', 'two words'],
  ])('then %s=%s is named', (name, value) => {
    expect(readSettings({ [name]: value }).problems?.join()).toContain(name);
  });
  test('then all of them are listed together', () => {
    expect(readSettings({ PORT: 'x', DEMO: 'x' }).problems).toHaveLength(2);
  });
});

describe('When it is no demo', () => {
  test('then no default secret is accepted and nothing that tests need', () => {
    const problems = readSettings({
      DEMO: '0',
      CLOCK_OFFSET_MS: '5',
      RATE_LIMIT: 'off',
      ADMIN_EMAIL: 'a@example.com',
    }).problems;
    expect(problems).toHaveLength(4);
    expect(readSettings({ DEMO: '0', API_KEY: 'demo-api-key' }).problems).toHaveLength(1);
    expect(readSettings({ DEMO: '0', API_KEY: 'a-key-of-ones-own' }).settings?.demo).toBe(false);
  });
  test.each([
    ['ADMIN_PASSWORD', 'Passw0rd-demo'],
    ['API_KEY', 'portal-development'],
    ['DATABASE_URL', 'postgresql://postgres:portal-development@127.0.0.1:5432/postgres'],
    // As in the settings for development: bytes that begin like the others.
    ['KEY_ENCRYPTION_KEY', Buffer.from('portal-development-key--32-bytes!').toString('base64')],
    ['INTERNAL_KEYS', `AAAA,${Buffer.from('portal-development-key--32-bytes!').toString('base64')}`],
  ])('then %s is none that everybody knows', (name, value) => {
    const env = { DEMO: '0', API_KEY: 'a-key-of-ones-own', ADMIN_EMAIL: 'a@example.com' };
    expect(readSettings({ ADMIN_PASSWORD: 'Passw0rd-mine', ...env, [name]: value }).problems).toEqual([
      `${name} must not be a secret of the demo or of development when DEMO=0`,
    ]);
  });
});
