import { expect, test } from 'vitest';
import { pageHeaders } from '../src/headers.ts';

const policy = (storageUrl?: string) => new Map(pageHeaders(storageUrl)).get('content-security-policy');

test('Pages talk to their own origin alone', () => {
  expect(policy()).toContain("connect-src 'self';");
  expect(policy()).toContain("img-src 'self' data: blob:;");
});

test('A script that stands in the page runs by its hash, and no other does', () => {
  const own = new Map(pageHeaders(undefined, ['alert(1)'])).get('content-security-policy');
  expect(own).toContain("script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';");
});

test('Where clients reach the store itself, pages may exchange files with it and show its pictures', () => {
  const own = policy('https://files.example.com:9000/a/path');
  expect(own).toContain("connect-src 'self' https://files.example.com:9000;");
  expect(own).toContain("img-src 'self' data: blob: https://files.example.com:9000;");
  expect(own).toContain("script-src 'self';");
});
