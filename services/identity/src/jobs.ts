import type { Clock, Logger } from '@portal/kernel';
import { type Job, type KeyCipher, resealJobs, type Store } from '@portal/service-kit';
import { forgetOverChallenges } from './data/challenge-repository.ts';
import type { IdentityDb } from './data/db.ts';
import { sealedKeys } from './data/key-repository.ts';
import { forgetOverFlows } from './data/linked-identity-repository.ts';
import { forgetOverLinks } from './data/password-link-repository.ts';
import { forgetResetMails } from './data/reset-mail-repository.ts';
import { deleteExpiredSessions } from './data/session-repository.ts';
import { sealedSecrets } from './data/two-factor-repository.ts';
import type { KeyRing } from './tokens/key-ring.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The jobs of this service. */
export function jobs(deps: {
  readonly cipher: KeyCipher;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
  readonly store: Store<IdentityDb>;
}): readonly Job[] {
  const { clock, keyRing, store } = deps;
  return [
    // Rotates due keys even if nobody signs in.
    { name: 'rotate-keys', everyMs: 10 * minute, run: async () => void (await keyRing.publicKeys()) },
    {
      name: 'forget-over-sessions',
      everyMs: hour,
      run: async ({ scope }) =>
        void (await store.write(scope, ({ db }) => deleteExpiredSessions(db, clock.now()))),
    },
    {
      name: 'forget-over-links',
      everyMs: hour,
      run: async ({ scope }) => store.write(scope, ({ db }) => forgetOverLinks(db, clock.now())),
    },
    {
      name: 'forget-over-identity-flows',
      everyMs: hour,
      run: async ({ scope }) => store.write(scope, ({ db }) => forgetOverFlows(db, clock.now())),
    },
    {
      name: 'forget-over-challenges',
      everyMs: hour,
      run: async ({ scope }) => store.write(scope, ({ db }) => forgetOverChallenges(db, clock.now())),
    },
    {
      name: 'forget-reset-mails',
      everyMs: hour,
      run: async ({ scope }) => store.write(scope, ({ db }) => forgetResetMails(db, clock.now())),
    },
    ...resealJobs(deps, [sealedKeys, sealedSecrets]),
  ];
}
