import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Passwords as argon2id hashes in PHC form. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long as with one, and is false: nobody can tell by the clock whether an account exists. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

/** The cost that OWASP recommends for argon2id, which is the library's default kind; memory in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs in Node's pool of four threads, which files and look-ups of names need as well. */
const atOnce = pLimit(2);

export function createPasswords(): Passwords {
  const hashOf = async (password: string) => atOnce(async () => hash(password, cost));
  const nobodysHash = hashOf(randomUUID());
  return {
    hash: hashOf,
    async matches(storedHash, password) {
      const compared = storedHash ?? (await nobodysHash);
      const right = await atOnce(async () => verify(compared, password));
      return right && storedHash !== null;
    },
  };
}
