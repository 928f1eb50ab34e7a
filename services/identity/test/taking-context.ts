import { defineService, type ServiceContext, type ServiceDefinition } from '@portal/service-kit';
import { type Config, config } from '../src/config.ts';
import type { IdentityDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { subscriptions } from '../src/events/subscriptions.ts';

/** What the service is given; it keeps no objects. */
export type Context = Omit<ServiceContext<IdentityDb, Config>, 'storage'>;

/** This service without its routes; `taken` gets its context, for use cases that have no route yet. */
export function takingContext(taken: (context: Context) => void): ServiceDefinition {
  return defineService<IdentityDb, Config>({
    name: 'identity',
    config,
    directory: new URL('../', import.meta.url),
    prismaClient: PrismaClient,
    create(context) {
      const {
        clock,
        config: settings,
        databaseUrl,
        direct,
        subscribe,
        logger,
        peers,
        published,
        seals,
        signUpKey,
        store,
      } = context;
      taken({
        clock,
        config: settings,
        databaseUrl,
        direct,
        subscribe,
        logger,
        peers,
        published,
        seals,
        signUpKey,
        store,
      });
      return { routes: [], subscriptions: subscriptions({ clock, seals, rationed: settings.rationed }) };
    },
  });
}
