import { defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import { type DocumentDb, PrismaClient } from './data/db.ts';
import { contractOf, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { subscriptions } from './events/subscriptions.ts';

/** The document databases of tenants: their contracts, collections and documents. */
export const documentService = defineService<DocumentDb, Config>({
  name: 'document',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  create(context) {
    return {
      routes: [],
      subscriptions: subscriptions(),
      contractOf: async (partnerId) => contractOf(context, partnerId),
      unitOf: async (partnerId) => (await knowPartner(context, partnerId)).unitId,
    };
  },
});
