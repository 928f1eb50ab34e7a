import {
  defineService,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceParts,
} from '@portal/service-kit';
import { type Config, config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';

/**
 * A service on this service's database whose context `taken` gets, for use cases that have no route yet. It is bare unless told
 * what comes in.
 */
export function takingContext(
  taken: (context: ServiceContext<TenantDb, Config>) => void,
  partsOf: (context: ServiceContext<TenantDb, Config>) => ServiceParts<TenantDb> = () => ({ routes: [] }),
): ServiceDefinition {
  return defineService<TenantDb, Config>({
    name: 'tenant',
    usesStorage: true,
    config,
    directory: new URL('../', import.meta.url),
    prismaClient: PrismaClient,
    create(context) {
      taken(context);
      return partsOf(context);
    },
  });
}
