import { createPasswordQueue } from '@portal/accounts';
import { AppError } from '@portal/kernel';
import {
  createKeyCipher,
  defineService,
  ofPartner,
  type ServiceContext,
  type ServiceParts,
} from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { TenantDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { partnerRows } from './data/partner-rows.ts';
import { partnerForServices, unitIdOf } from './data/partner-views.ts';
import { demoRows, seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { licenceRoutes } from './http/licences.routes.ts';
import { partnerRoutes } from './http/partners.routes.ts';
import { signUpRoutes } from './http/sign-up.routes.ts';
import { unitRoutes } from './http/units.routes.ts';
import { usageRoutes } from './http/usage.routes.ts';
import { jobs } from './jobs.ts';

/** Owns units, partners with their contracts, plans, licence counts and dates, and what they use. */
export const tenantService = defineService<TenantDb, Config>({
  name: 'tenant',
  usesStorage: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  demoRows,
  create: partsOf,
});

/** What comes in: routes, events and jobs. */
export function partsOf(context: ServiceContext<TenantDb, Config>): ServiceParts<TenantDb> {
  const { config, direct, store } = context;
  const cipher = createKeyCipher(...config.keyEncryptionKeys);
  return {
    routes: [
      ...unitRoutes(context),
      ...partnerRoutes(context),
      ...licenceRoutes(context),
      ...usageRoutes({ ...context, cipher }),
      ...signUpRoutes({ ...context, ...context.config, passwordQueue: createPasswordQueue() }),
    ],
    subscriptions: subscriptions({ ...context, cipher }),
    jobs: jobs({ ...context, cipher }),
    async contractOf(partnerId) {
      const contract = await partnerForServices(direct.statements(ofPartner(partnerId)), { partnerId });
      if (!contract) throw new AppError('E40402');
      return contract;
    },
    unitOf: async (partnerId) => {
      const unitId = await store.read(ofPartner(partnerId), (db) => unitIdOf(db, partnerId));
      if (unitId === undefined) throw new AppError('E40402');
      return unitId;
    },
    seed: async () => seedDemo(context),
  };
}
