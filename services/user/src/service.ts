import { createExporter, createPasswordQueue, defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { UserDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { knowPartner } from './data/partner-repository.ts';
import { userExport } from './data/user-export.ts';
import { createUserList } from './data/user-list.ts';
import { demoRows, seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { companyAdminRoutes } from './http/company-admins.routes.ts';
import { groupRoutes } from './http/groups.routes.ts';
import { importsRoutes } from './http/imports.routes.ts';
import { internalRoutes } from './http/internal.routes.ts';
import { platformRoutes } from './http/platforms.routes.ts';
import { usersRoutes } from './http/users.routes.ts';
import { jobs } from './jobs.ts';
import { followSignOuts } from './use-cases/settled-sign-outs.ts';

/** Owns the accounts of tenants with their passwords, their groups and their devices. */
export const userService = defineService<UserDb, Config>({
  name: 'user',
  usesStorage: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  demoRows,
  async create(context) {
    const { clock, logger, peers, seals, storage, store } = context;
    const exporter = createExporter(context, [userExport]);
    const settled = await followSignOuts(context);
    const passwordQueue = createPasswordQueue();
    const dependencies = { clock, passwordQueue, peers, seals, settled, store };
    const inBackground = { ...dependencies, passwords: passwordQueue.inBackground };
    const tools = { ...inBackground, logger, storage };
    return {
      routes: [
        ...groupRoutes(dependencies),
        ...usersRoutes(dependencies, createUserList()),
        ...companyAdminRoutes(dependencies),
        ...importsRoutes(dependencies),
        ...platformRoutes(dependencies),
        ...internalRoutes(dependencies),
      ],
      subscriptions,
      jobs: [...jobs(tools), exporter.job],
      rankOf: async (partnerId) => (await knowPartner(dependencies, partnerId)).contractRank,
      close: async () => exporter.close(),
      seed: async () => seedDemo(inBackground),
    };
  },
});
