import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encrypt } from '../src/cipher.ts';
import { internalKeysOf, publicKeyOf } from '../src/host/internal-keys.ts';
import { createSeals, type Seals } from '../src/seals.ts';

type Service = 'identity' | 'mail' | 'file';
type Seeds = Readonly<Record<Service, readonly Buffer[]>>;
const seed = () => randomBytes(32);

function sealsOf(service: Service, seeds: Seeds): Seals {
  const known = new Map(Object.entries(seeds).map(([name, own]) => [name, own.map(publicKeyOf)]));
  return createSeals(internalKeysOf(service, seeds[service], known));
}

test('When a service seals something for another, then that one alone opens it, for the same use', () => {
  const seeds = { identity: [seed()], mail: [seed()], file: [seed()] };
  const sealed = sealsOf('identity', seeds).seal('a link', 'mail-1', 'mail');
  expect(sealsOf('mail', seeds).open(sealed, 'mail-1')).toBe('a link');
  expect(() => sealsOf('mail', seeds).open(sealed, 'mail-2')).toThrow('Sealed by no service for this one');
  expect(() => sealsOf('file', seeds).open(sealed, 'mail-1')).toThrow('Sealed by no service for this one');
});

test('When a service seals something for itself, then nobody else opens it', () => {
  const seeds = { identity: [seed()], mail: [seed()], file: [seed()] };
  const sealed = sealsOf('file', seeds).seal('a password', 'row-1', 'file');
  expect(sealsOf('file', seeds).open(sealed, 'row-1')).toBe('a password');
  expect(() => sealsOf('mail', seeds).open(sealed, 'row-1')).toThrow();
});

test('When somebody has only the public keys, then no service opens what they seal', () => {
  const seeds = { identity: [seed()], mail: [seed()], file: [seed()] };
  const forged = sealsOf('identity', { ...seeds, identity: [seed()] }).seal('a link', 'mail-1', 'mail');
  expect(() => sealsOf('mail', seeds).open(forged, 'mail-1')).toThrow();
});

test('When a key is exchanged, then what was sealed at any step is opened at the next', () => {
  const [old, next] = [seed(), seed()];
  const others = { identity: [seed()], file: [seed()] };
  const steps = [[old], [old, next], [next, old], [next]].map((mail) => ({ ...others, mail }));
  for (const [index, before] of steps.entries()) {
    const after = steps[index + 1];
    if (!after) continue;
    // Processes are not replaced at the same moment: either may be ahead.
    const sealed = sealsOf('identity', before).seal('a link', 'mail-1', 'mail');
    if (index < 2) expect(sealsOf('mail', after).open(sealed, 'mail-1')).toBe('a link');
    const ahead = sealsOf('identity', after).seal('a link', 'mail-1', 'mail');
    expect(sealsOf('mail', before).open(ahead, 'mail-1')).toBe('a link');
  }
});

test('When something was sealed while all services had one key, then services that still have that key open it', () => {
  const shared = seed();
  const formerKey = createSecretKey(Buffer.from(hkdfSync('sha256', shared, '', 'portal seals', 32)));
  const sealed = encrypt(formerKey, 'a link', 'mail-1').toString('base64');
  const seeds = { identity: [seed()], mail: [seed(), shared], file: [seed()] };
  expect(sealsOf('mail', seeds).open(sealed, 'mail-1')).toBe('a link');
  expect(() => sealsOf('file', seeds).open(sealed, 'mail-1')).toThrow();
});
