import { createHash, randomBytes } from 'node:crypto';
import { limits } from '@portal/contracts';

/** Nothing that is easily mistaken for another: 32 letters and digits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 16;

/** Codes of 80 random bits each, as `xxxx-xxxx-xxxx-xxxx`: their hashes cannot be guessed either. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: limits.recoveryCodes }, () => {
    const code = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
    return [0, 4, 8, 12].map((at) => code.slice(at, at + 4)).join('-');
  });
}

/** A code as it counts: case, hyphens and spaces do not matter. */
export function plainCode(code: string): string {
  return code.replaceAll(/[-\s]/g, '').toLowerCase();
}

export function hashOfRecoveryCode(code: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(plainCode(code)).digest();
}
