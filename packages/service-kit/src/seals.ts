import type { ServiceName } from '@portal/contracts';
import type { InternalKeys } from './auth/internal-tokens.ts';
import { decrypt, encrypt } from './cipher.ts';

/** Seals personal data and tokens for their way to another service, or for this one to read later: nobody else can. */
export interface Seals {
  /** @param context what the text belongs to, such as the id of a mail: it opens with the same alone */
  seal(text: string, context: string, reader: ServiceName): string;
  /** @throws Error for what no service sealed for this one, or for another context */
  open(sealed: string, context: string): string;
}

export function createSeals({ sealingKeys }: InternalKeys): Seals {
  const all = [...sealingKeys.values()].flat();
  return {
    seal(text, context, reader) {
      const key = sealingKeys.get(reader)?.[0];
      if (!key) throw new Error(`There is no key of ${reader} to seal with`);
      return encrypt(key, text, context).toString('base64');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64');
      for (const key of all) {
        try {
          return decrypt(key, bytes, context);
        } catch {
          // Sealed by another, or before a key was exchanged.
        }
      }
      throw new Error('Sealed by no service for this one, or for another use');
    },
  };
}
