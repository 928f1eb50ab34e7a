import { createKeyCipher, defineService } from '@portal/service-kit';
import { audienceRoutes } from './audience/http/audience.routes.ts';
import { tokenUrisOf } from './certifications/domain/service-account.ts';
import { certificationsRoutes } from './certifications/http/certifications.routes.ts';
import { createP12Reader } from './certifications/p12/p12-reader.ts';
import { type Config, config } from './config.ts';
import { PrismaClient, type PushDb } from './data/db.ts';
import { contractReader, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { createDeliverer } from './delivery/use-cases/create-deliverer.ts';
import { pushboxRoutes } from './demo/http/pushbox.routes.ts';
import { seedDemo } from './demo/seed.ts';
import { createStandIn } from './demo/stand-in.ts';
import type { Dependencies } from './dependencies.ts';
import { subscriptions } from './events/subscriptions.ts';
import { internalRoutes } from './http/internal.routes.ts';
import { jobs } from './jobs.ts';
import { notificationsRoutes } from './notifications/http/notifications.routes.ts';
import { createProviders } from './providers/providers.ts';

/** Certificates for push notifications, the notifications, and their delivery to devices. */
export const pushService = defineService<PushDb, Config>({
  name: 'push',
  usesStorage: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  create(context) {
    const { clock, config, databaseUrl, direct, logger, peers, seals, storage, store } = context;
    const { apnsUrl, ca, fcmUrl, showsPushbox } = config;
    const standIn = showsPushbox ? createStandIn({ clock, store }) : undefined;
    const deps: Dependencies = {
      acceptsTokenUri: tokenUrisOf(fcmUrl),
      cipher: createKeyCipher(...config.keyEncryptionKeys),
      clock,
      direct,
      logger,
      p12Reader: createP12Reader(),
      peers,
      providers: createProviders({
        clock,
        places:
          standIn?.places ??
          (async () => ({
            fcm: { url: fcmUrl, ca: fcmUrl && ca },
            apns: { url: apnsUrl, ca: apnsUrl && ca },
          })),
      }),
      seals,
      store,
    };
    const deliverer = createDeliverer(deps);
    return {
      routes: [
        ...certificationsRoutes(deps),
        ...audienceRoutes(deps),
        ...notificationsRoutes(deps, deliverer),
        ...internalRoutes(deps),
        ...pushboxRoutes({ isShown: showsPushbox, store }),
      ],
      subscriptions: subscriptions(deps),
      jobs: jobs({ ...deps, databaseUrl, storage }, deliverer),
      contractOf: contractReader(deps),
      unitOf: async (partnerId) => (await knowPartner(deps, partnerId)).unitId,
      ...(showsPushbox && { seed: async () => seedDemo(deps) }),
      async close() {
        await deps.providers.close();
        await standIn?.close();
      },
    };
  },
});
