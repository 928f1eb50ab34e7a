import type { PasswordQueue, Passwords } from '@portal/accounts';
import type { Clock, Logger } from '@portal/kernel';
import type { DirectStore, Peers, Seals, Store } from '@portal/service-kit';
import type { ObjectStorage } from '@portal/storage';
import type { UserDb } from './data/db.ts';
import type { SignOutsSettled } from './use-cases/settled-sign-outs.ts';
import type { InTurn } from './use-cases/tenant-turns.ts';

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies {
  readonly store: Store<UserDb>;
  readonly direct: Pick<DirectStore, 'statements'>;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly passwordQueue: PasswordQueue;
  readonly seals: Seals;
  readonly settled: SignOutsSettled;
  readonly inTurn: InTurn;
  /** Whether a person gets a few mails with links in an hour alone. */
  readonly rationed: boolean;
}

/** The same with a place in the queue of those who need passwords hashed. */
export interface CallDependencies extends Dependencies {
  readonly passwords: Passwords;
}

/** What imports need, which run in jobs. */
export interface ImportDependencies
  extends Pick<CallDependencies, 'clock' | 'passwords' | 'seals' | 'store'> {
  readonly logger: Logger;
  readonly storage: ObjectStorage;
}
