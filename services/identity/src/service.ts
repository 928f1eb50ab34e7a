import { createPasswordQueue } from '@portal/accounts';
import { findPartner } from '@portal/contracts/internal';
import { createKeyCipher, defineService, systemScope } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { IdentityDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { partnerRows } from './data/partner-rows.ts';
import { tokenChanges } from './data/session-views.ts';
import { demoRows, seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { accountRoutes } from './http/accounts.routes.ts';
import { administratorRoutesOf } from './http/administrators.routes.ts';
import { adminRoutes } from './http/admins.routes.ts';
import { passwordLinkRoutes } from './http/password-links.routes.ts';
import { sessionRoutesOf } from './http/sessions.routes.ts';
import { socialRoutes } from './http/social.routes.ts';
import { ssoRoutes } from './http/sso.routes.ts';
import { tokenRoutes } from './http/tokens.routes.ts';
import { twoFactorRoutesOf } from './http/two-factor.routes.ts';
import { jobs } from './jobs.ts';
import { createIdentityProviders } from './providers/identity-providers.ts';
import { createKeyRing } from './tokens/key-ring.ts';
import { makeFirstAdmin } from './use-cases/make-first-admin.ts';
import type { KnownEnding } from './use-cases/sign-in-account.ts';

/** Owns the administrators of the platform and of units, and the sessions and token keys of everybody. */
export const identityService = defineService<IdentityDb, Config>({
  name: 'identity',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  demoRows,
  async create({ clock, config, direct, logger, peers, published, seals, store }) {
    const passwordQueue = createPasswordQueue();
    const cipher = createKeyCipher(...config.keyEncryptionKeys);
    const keyRing = createKeyRing({
      store,
      clock,
      cipher,
      rotateEveryMs: config.keyRotationMs,
    });
    const knownEnding: KnownEnding = { last: undefined };
    const { publicUrl, rationed, sessionMs } = config;
    const providers = await createIdentityProviders(config.identityProviders, {
      clock,
      seals,
      redirectUri: `${publicUrl}/v1/oauth2/callback`,
    });
    const deps = {
      cipher,
      clock,
      direct,
      waitUntilRevoked,
      keyRing,
      knownEnding,
      passwordQueue,
      peers,
      providers,
      publicUrl,
      rationed,
      seals,
      sessionMs,
      store,
    };
    const starting = { ...deps, passwords: passwordQueue.inBackground };
    if (config.firstAdmin)
      await makeFirstAdmin(starting, config.firstAdmin, systemScope('administrators are of no tenant'));

    /** Waits until the revocation is published. The change is stored, so an unavailable bus is no reason to refuse it. */
    async function waitUntilRevoked(): Promise<void> {
      await published().catch((error: unknown) => {
        logger.warn({ err: error }, 'Ended sessions are not known everywhere yet');
      });
    }

    return {
      routes: [
        ...adminRoutes(deps),
        ...administratorRoutesOf(deps),
        ...accountRoutes(deps),
        ...passwordLinkRoutes(deps),
        ...tokenRoutes(deps),
        ...socialRoutes(deps),
        ...ssoRoutes(deps),
        ...sessionRoutesOf(deps),
        ...twoFactorRoutesOf(deps),
      ],
      subscriptions: subscriptions(deps),
      jobs: jobs({ ...deps, logger }),
      contractOf: async (partnerId) => peers.call(findPartner, { body: { partnerId } }),
      unitOf: async (partnerId) => (await peers.call(findPartner, { body: { partnerId } })).unitId,
      keySource: async () => keyRing.publicKeys(),
      readRevocations: async (since) =>
        tokenChanges(
          direct.statements(systemScope('every service refuses the ended sessions of all')),
          clock.now(),
          since,
        ),
      seed: async () => seedDemo(starting),
    };
  },
});
