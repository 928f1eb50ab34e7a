import type { Clock } from '@portal/kernel';
import type { Passwords, Peers, Store } from '@portal/service-kit';
import type { UserDb } from './data/db.ts';
import type { SignOutsSettled } from './use-cases/settled-sign-outs.ts';

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies {
  readonly store: Store<UserDb>;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly passwords: Passwords;
  readonly settled: SignOutsSettled;
}
