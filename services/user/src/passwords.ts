import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Passwords as argon2id hashes in PHC form. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long as with one, and is false: nobody can tell by the clock whether an account exists. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

/** The cost that OWASP recommends for argon2id, memory in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function createPasswords(): Passwords {
  const nobodysHash = hash(randomUUID(), cost);
  return {
    hash: async (password) => hash(password, cost),
    async matches(storedHash, password) {
      const right = await verify(storedHash ?? (await nobodysHash), password);
      return right && storedHash !== null;
    },
  };
}
