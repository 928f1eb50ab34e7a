import { findPartner } from '@portal/contracts/internal';
import { createPasswordQueue, defineService, everything } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { IdentityDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { forgetOverLinks } from './data/password-link-repository.ts';
import { forgetResetMails } from './data/reset-mail-repository.ts';
import { deleteOverSessions } from './data/session-repository.ts';
import { liveRevocations } from './data/session-views.ts';
import { demoRows, seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { accountRoutes } from './http/accounts.routes.ts';
import { adminRoutes } from './http/admins.routes.ts';
import { passwordLinkRoutes } from './http/password-links.routes.ts';
import { tokenRoutes } from './http/tokens.routes.ts';
import { createKeyCipher } from './tokens/key-cipher.ts';
import { createKeyRing } from './tokens/key-ring.ts';
import type { KnownEnding } from './use-cases/login-partner.ts';
import { makeFirstAdmin } from './use-cases/make-first-admin.ts';

const minute = 60_000;

/** Owns the administrators of the platform and of units, and the sessions and token keys of everybody. */
export const identityService = defineService<IdentityDb, Config>({
  name: 'identity',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  demoRows,
  async create({ clock, config, logger, peers, published, seals, store }) {
    const passwordQueue = createPasswordQueue();
    const keyRing = createKeyRing({
      store,
      clock,
      cipher: createKeyCipher(config.keyEncryptionKey),
      rotateEveryMs: config.keyRotationMs,
    });
    const knownEnding: KnownEnding = { last: undefined };
    const { rationed, sessionMs } = config;
    const deps = {
      clock,
      felt,
      keyRing,
      knownEnding,
      passwordQueue,
      peers,
      rationed,
      seals,
      sessionMs,
      store,
    };
    const starting = { ...deps, passwords: passwordQueue.inBackground };
    if (config.firstAdmin) await makeFirstAdmin(starting, config.firstAdmin);

    /** Waits until every service heard of the change. It is stored, so a bus that is away is no reason to refuse it. */
    async function felt(): Promise<void> {
      await published().catch((error: unknown) => {
        logger.warn({ err: error }, 'Ended sessions are not known everywhere yet');
      });
    }

    return {
      routes: [
        ...adminRoutes(deps),
        ...accountRoutes(deps),
        ...passwordLinkRoutes(deps),
        ...tokenRoutes(deps),
      ],
      subscriptions: subscriptions(deps),
      jobs: [
        // Rotates what is due also where nobody signs in.
        { name: 'rotate-keys', everyMs: 10 * minute, run: async () => void (await keyRing.publicKeys()) },
        {
          name: 'forget-over-sessions',
          everyMs: 60 * minute,
          run: async () =>
            void (await store.write(everything, ({ db }) => deleteOverSessions(db, clock.now()))),
        },
        {
          name: 'forget-over-links',
          everyMs: 60 * minute,
          run: async () => store.write(everything, ({ db }) => forgetOverLinks(db, clock.now())),
        },
        {
          name: 'forget-reset-mails',
          everyMs: 60 * minute,
          run: async () => store.write(everything, ({ db }) => forgetResetMails(db, clock.now())),
        },
      ],
      rankOf: async (partnerId) => (await peers.call(findPartner, { body: { partnerId } })).contractRank,
      keySource: async () => keyRing.publicKeys(),
      readRevocations: async (since) =>
        store.read(everything, (db) => liveRevocations(db, clock.now(), since)),
      seed: async () => seedDemo(starting),
    };
  },
});
