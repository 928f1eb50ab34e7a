import { defineService, type ServiceContext, type ServiceDefinition } from '@portal/service-kit';
import { type Config, config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';

/** A bare service on this service's database whose context `taken` gets, for use cases that have no route yet. */
export function takingContext(taken: (context: ServiceContext<TenantDb, Config>) => void): ServiceDefinition {
  return defineService<TenantDb, Config>({
    name: 'tenant',
    config,
    directory: new URL('../', import.meta.url),
    prismaClient: PrismaClient,
    create(context) {
      taken(context);
      return { routes: [] };
    },
  });
}
