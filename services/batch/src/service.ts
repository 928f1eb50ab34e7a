import { createExporter, defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { BatchDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { operationExport } from './data/operation-export.ts';
import { knowPartner } from './data/partner-repository.ts';
import { subscriptions } from './events/subscriptions.ts';
import { exportRoutes } from './http/exports.routes.ts';
import { forgetPeople } from './use-cases/forget-people.ts';
import { keepMonths } from './use-cases/keep-months.ts';
import { removeExports } from './use-cases/remove-exports.ts';
import { settleSilent } from './use-cases/settle-silent.ts';

const second = 1_000;
const hour = 3_600 * second;

/** Owns the exports that people wait for, whoever writes them, and the log of operations. */
export const batchService = defineService<BatchDb, Config>({
  name: 'batch',
  usesStorage: true,
  signsAddresses: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  create(context) {
    const { clock } = context;
    const exporter = createExporter(context, [operationExport]);
    return {
      routes: exportRoutes(context),
      subscriptions: subscriptions({ clock }),
      rankOf: async (partnerId) => (await knowPartner(context, partnerId)).contractRank,
      jobs: [
        exporter.job,
        { name: 'settle-silent', everyMs: 10 * second, run: async () => settleSilent(context) },
        { name: 'remove-exports', everyMs: 10 * second, run: async () => removeExports(context) },
        { name: 'keep-months', everyMs: hour, run: async () => keepMonths(context) },
        { name: 'forget-people', everyMs: hour, run: async () => forgetPeople(context) },
      ],
      close: async () => exporter.close(),
    };
  },
});
