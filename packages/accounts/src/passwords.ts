import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { fieldError } from '@portal/kernel';
import { networkOf, oneCustomer } from '@portal/service-kit';
import { type Asker, FairQueue } from './fair-queue.ts';

/** Passwords as argon2id hashes in PHC form. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long as with one, and is false: nobody can tell by the clock whether an account exists. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

/** Callers state for whom they hash: hashing is expensive, and all calls in a process share a few slots. */
export interface PasswordQueue {
  /** For a caller who waits for the answer. Both reject with `E50301` if too many wait. */
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

/**
 * The hash of a password that takes the place of another; null: there was none.
 * @throws AppError `E40002` on `password` when it is the one that is there
 */
export async function hashOfAnother(
  passwords: Passwords,
  presentHash: string | null,
  password: string,
): Promise<string> {
  if (await passwords.matches(presentHash, password)) {
    throw fieldError('E40002', 'password', 'samePassword');
  }
  return passwords.hash(password);
}
