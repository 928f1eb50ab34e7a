import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether `password` made `passwordHash`. Without a hash it takes as long, and answers false. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

/** OWASP's recommendation for argon2id, which is the library's default kind; memory in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs in Node's pool of four threads, which files and look-ups of names need as well. */
const atOnce = 2;

export async function createPasswords(): Promise<Passwords> {
  const limit = pLimit(atOnce);
  const hashOf = async (password: string) => limit(async () => hash(password, cost));
  const nobodys = await hashOf(randomBytes(32).toString('hex'));
  return {
    hash: hashOf,
    async verify(passwordHash, password) {
      const right = await limit(async () => verify(passwordHash ?? nobodys, password));
      return right && passwordHash !== undefined;
    },
  };
}
