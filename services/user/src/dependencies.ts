import type { Clock } from '@portal/kernel';
import type { PasswordQueue, Passwords, Peers, Seals, Store } from '@portal/service-kit';
import type { UserDb } from './data/db.ts';
import type { SignOutsSettled } from './use-cases/settled-sign-outs.ts';

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies {
  readonly store: Store<UserDb>;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly passwordQueue: PasswordQueue;
  readonly seals: Seals;
  readonly settled: SignOutsSettled;
}

/** The same with a place in the queue of those who need passwords hashed. */
export interface CallDependencies extends Dependencies {
  readonly passwords: Passwords;
}
