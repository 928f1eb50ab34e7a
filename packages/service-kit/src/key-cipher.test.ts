import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyCipher } from './key-cipher.ts';

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
    expect(() => other.open(cipher.seal('secret', 'kid'), 'kid')).toThrow('KEY_ENCRYPTION_KEY');
  });
});
