import { createPasswordQueue } from '@portal/accounts';
import { defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { UserDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { contractReader, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { createUserList } from './data/user-list.ts';
import { demoRows, seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { companyAdminRoutes } from './http/company-admins.routes.ts';
import { groupRoutes } from './http/groups.routes.ts';
import { importsRoutes } from './http/imports.routes.ts';
import { internalRoutes } from './http/internal.routes.ts';
import { platformRoutes } from './http/platforms.routes.ts';
import { provisioningRoutes } from './http/provisioning.routes.ts';
import { usersRoutes } from './http/users.routes.ts';
import { jobs } from './jobs.ts';
import { followSignOuts } from './use-cases/settled-sign-outs.ts';
import { createTenantTurns } from './use-cases/tenant-turns.ts';

/** Owns the accounts of tenants with their passwords, their groups and their devices. */
export const userService = defineService<UserDb, Config>({
  name: 'user',
  usesStorage: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  demoRows,
  async create(context) {
    const {
      clock,
      config: { rationed },
      databaseUrl,
      logger,
      peers,
      seals,
      storage,
    } = context;
    const settled = await followSignOuts(context);
    const passwordQueue = createPasswordQueue();
    const turns = createTenantTurns(context);
    const deps = { clock, passwordQueue, peers, rationed, seals, settled, ...turns };
    const list = createUserList();
    const inBackground = { ...deps, passwords: passwordQueue.inBackground };
    return {
      routes: [
        ...groupRoutes(deps),
        ...usersRoutes(deps, list),
        ...companyAdminRoutes(deps),
        ...importsRoutes(deps),
        ...platformRoutes(deps),
        ...internalRoutes(deps),
        ...provisioningRoutes(deps, list),
      ],
      subscriptions: subscriptions(inBackground),
      // What they change may take long, and is not begun anew because somebody else holds a row of it.
      jobs: jobs({ ...inBackground, databaseUrl, logger, storage, store: context.store }),
      contractOf: contractReader(deps),
      unitOf: async (partnerId) => (await knowPartner(deps, partnerId)).unitId,
      seed: async () => seedDemo(inBackground),
    };
  },
});
