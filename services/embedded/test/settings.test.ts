import { describe, expect, test } from 'vitest';
import { readSettings } from '../src/settings.ts';

describe('When nothing is set', () => {
  test('then the product runs as a demo on this machine alone', () => {
    expect(readSettings({}).settings).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      demo: true,
      apiKey: 'demo-api-key',
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
  ])('then %s=%s is named', (name, value) => {
    expect(readSettings({ [name]: value }).problems?.join()).toContain(name);
  });
  test('then all of them are told together', () => {
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
});
