import { defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { BatchDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { contractReader, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { subscriptions } from './events/subscriptions.ts';
import { exportRoutes } from './http/exports.routes.ts';
import { operationRoutes } from './http/operations.routes.ts';
import { jobs } from './jobs.ts';

/** Owns the background exports (other services may write the files) and the operation log. */
export const batchService = defineService<BatchDb, Config>({
  name: 'batch',
  usesStorage: true,
  signsAddresses: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  create(context) {
    const { clock } = context;
    return {
      routes: [...exportRoutes(context), ...operationRoutes(context)],
      subscriptions: subscriptions({ clock }),
      contractOf: contractReader(context),
      unitOf: async (partnerId) => (await knowPartner(context, partnerId)).unitId,
      jobs: jobs(context),
    };
  },
});
