import { defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { TenantDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { partnerRoutes } from './http/partners.routes.ts';
import { unitRoutes } from './http/units.routes.ts';

/** Owns units, partners with their contracts, plans, licence counts and dates. */
export const tenantService = defineService<TenantDb, Config>({
  name: 'tenant',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  create(context) {
    return {
      routes: [...unitRoutes(context), ...partnerRoutes(context)],
      subscriptions,
      seed: async () => seedDemo(context),
    };
  },
});
