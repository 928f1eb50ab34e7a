import { defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { NoticeDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { contractOf, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { subscriptions } from './events/subscriptions.ts';
import { noticeRoutesOf } from './http/notices.routes.ts';
import { jobs } from './jobs.ts';

/** Owns the notices of tenants. */
export const noticeService = defineService<NoticeDb, Config, 'notice'>({
  name: 'notice',
  usesStorage: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  create(context) {
    return {
      routes: noticeRoutesOf(context),
      subscriptions,
      jobs: jobs(context),
      contractOf: async (partnerId) => contractOf(context, partnerId),
      unitOf: async (partnerId) => (await knowPartner(context, partnerId)).unitId,
    };
  },
});
