import type { InternalKeys } from './auth/internal-tokens.ts';
import { decrypt, encrypt } from './cipher.ts';

/** Seals personal data and tokens for their way in an event: only services of the same installation can open them. */
export interface Seals {
  /** @param context what the text belongs to, such as the id of a mail: it opens with the same alone */
  seal(text: string, context: string): string;
  /** @throws Error for what was sealed by nobody of this installation, or for another context */
  open(sealed: string, context: string): string;
}

export function createSeals({ sealingKeys }: InternalKeys): Seals {
  const [newest] = sealingKeys;
  if (!newest) throw new Error('No sealing key');
  return {
    seal: (text, context) => encrypt(newest, text, context).toString('base64'),
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64');
      for (const key of sealingKeys) {
        try {
          return decrypt(key, bytes, context);
        } catch {
          // Sealed before the key was exchanged, perhaps.
        }
      }
      throw new Error('Sealed with no key of this installation, or for another use');
    },
  };
}
