import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyCipher, keyEncryptionKeys } from './key-cipher.ts';

describe('A sealed key', () => {
  const cipher = createKeyCipher(randomBytes(32));

  it('opens for its own id alone, and shows nothing of itself', () => {
    const sealed = cipher.seal('secret', 'kid-1');
    expect(cipher.open(sealed, 'kid-1')).toBe('secret');
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(() => cipher.open(sealed, 'kid-2')).toThrow('KEY_ENCRYPTION_KEY');
  });

  it('does not open with another encryption key', () => {
    const other = createKeyCipher(randomBytes(32));
    expect(() => other.open(cipher.seal('secret', 'kid'), 'kid')).toThrow(
      'KEY_ENCRYPTION_KEY does not hold the key',
    );
  });

  it('opens with a key that was exchanged, while what is sealed anew is so with the first', () => {
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const during = createKeyCipher(after, before);
    expect(during.open(createKeyCipher(before).seal('secret', 'kid'), 'kid')).toBe('secret');
    const anew = during.seal('secret', 'kid');
    expect(createKeyCipher(after).open(anew, 'kid')).toBe('secret');
    expect(() => createKeyCipher(before).open(anew, 'kid')).toThrow('KEY_ENCRYPTION_KEY');
    expect(() => during.open(cipher.seal('secret', 'kid'), 'kid')).toThrow('KEY_ENCRYPTION_KEY');
  });

  it('is renewed where another key than the first has sealed it', () => {
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const during = createKeyCipher(after, before);
    const renewed = during.renew(createKeyCipher(before).seal('secret', 'kid'), 'kid') ?? Buffer.alloc(0);
    expect(createKeyCipher(after).open(renewed, 'kid')).toBe('secret');
    expect(during.renew(renewed, 'kid')).toBeUndefined();
    expect(() => during.renew(cipher.seal('secret', 'kid'), 'kid')).toThrow('KEY_ENCRYPTION_KEY');
    expect([cipher, during].map(({ hasFormerKeys }) => hasFormerKeys)).toEqual([false, true]);
  });
});

describe('The setting KEY_ENCRYPTION_KEY', () => {
  const newKeys = (count: number) => Array.from({ length: count }, () => randomBytes(32));
  const settingOf = (keys: readonly Buffer[]) => keys.map((key) => key.toString('base64')).join(', ');

  it('holds one key or a few, in their order', () => {
    for (const count of [1, 2, 5]) {
      const keys = newKeys(count);
      expect(keyEncryptionKeys.parse(settingOf(keys))).toEqual(keys);
    }
  });

  it.each([
    ['six keys', settingOf(newKeys(6))],
    ['an empty one', `${settingOf(newKeys(1))},`],
    ['a short one', `${settingOf(newKeys(1))},${randomBytes(31).toString('base64')}`],
    ['nothing', undefined],
  ])('does not take %s', (_, value) => {
    const { error } = keyEncryptionKeys.safeParse(value);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be 32 bytes in base64, or up to 5 of them, separated by commas',
    ]);
  });
});
