import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { type Asker, FairQueue } from './fair-queue.ts';
import { networkOf, oneCustomer } from './network.ts';

/** Passwords as argon2id hashes in PHC form. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long as with one, and is false: nobody can tell by the clock whether an account exists. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

/** Whoever needs passwords says for whom: hashing is dear, and all of a process wait for the same few turns. */
export interface PasswordQueue {
  /** For somebody who waits for the answer. Both reject with `E50301` where too many do. */
  of(asker: Asker): Passwords;
  /** For work that nobody waits for, such as an import. */
  readonly inBackground: Passwords;
}

/** The cost that OWASP recommends for argon2id, which is the library's default kind; memory in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing runs in Node's pool of four threads, which files and look-ups of names need as well. Those who wait get their turn
 * within some seconds: more would be gone by then.
 */
const queue = new FairQueue({ atOnce: 2, ofAccount: 20, waiting: 128 });

export function createPasswordQueue(): PasswordQueue {
  const passwordsOf = (asker: Asker | 'background'): Passwords => {
    const hashOf = async (password: string) => queue.run(asker, async () => hash(password, cost));
    return {
      hash: hashOf,
      async matches(storedHash, password) {
        const compared = storedHash ?? (await nobodysHash);
        const right = await queue.run(asker, async () => verify(compared, password));
        return right && storedHash !== null;
      },
    };
  };
  const inBackground = passwordsOf('background');
  const nobodysHash = inBackground.hash(randomUUID());
  return {
    of: ({ account, address }) => passwordsOf({ account, address: networkOf(address, oneCustomer) }),
    inBackground,
  };
}
