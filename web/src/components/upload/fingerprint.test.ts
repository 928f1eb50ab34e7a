import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

const mebibyte = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('A file is known by its first and its last MiB, a shorter one by all of it', async () => {
  const bytes = Uint8Array.from({ length: 2 * mebibyte + 5 }, (_, index) => (index * 7) % 251);
  const ends = new Uint8Array(2 * mebibyte);
  ends.set(bytes.subarray(0, mebibyte));
  ends.set(bytes.subarray(bytes.length - mebibyte), mebibyte);
  expect(await fingerprintOf(new Blob([bytes]))).toBe(sha256(ends));
  const short = bytes.subarray(0, mebibyte + 3);
  expect(await fingerprintOf(new Blob([short]))).toBe(sha256(short));
});
