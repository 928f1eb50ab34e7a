import { limits } from '@portal/contracts';
import { createExporter, defineService, everything } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { TenantDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { partnerExport } from './data/partner-export.ts';
import { forgetUsage } from './data/usage-repository.ts';
import { demoRows, seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { partnerRoutes } from './http/partners.routes.ts';
import { unitRoutes } from './http/units.routes.ts';
import { usageRoutes } from './http/usage.routes.ts';

const hour = 3_600_000;
/** Longer than a gateway would try to hand a batch over. */
const batchesKeptMs = 7 * 24 * hour;
const usageKeptMs = limits.operationLogRetentionDays * 24 * hour;

/** Owns units, partners with their contracts, plans, licence counts and dates, and what they use. */
export const tenantService = defineService<TenantDb, Config>({
  name: 'tenant',
  usesStorage: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  demoRows,
  create(context) {
    const { clock, store } = context;
    const exporter = createExporter(context, [partnerExport]);
    return {
      routes: [...unitRoutes(context), ...partnerRoutes(context), ...usageRoutes(context)],
      subscriptions,
      jobs: [
        exporter.job,
        {
          name: 'forget-usage',
          everyMs: hour,
          run: async () => {
            const now = clock.now().getTime();
            const before = { day: new Date(now - usageKeptMs), addedAt: new Date(now - batchesKeptMs) };
            await store.write(everything, ({ db }) => forgetUsage(db, before));
          },
        },
      ],
      close: async () => exporter.close(),
      seed: async () => seedDemo(context),
    };
  },
});
