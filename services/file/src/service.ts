import { findPartner } from '@portal/contracts/internal';
import { createExporter, defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import { createChangeWatch } from './data/change-watch.ts';
import { type FileDb, PrismaClient } from './data/db.ts';
import { fileExport } from './data/file-export.ts';
import { createKnownFiles } from './data/known-files.ts';
import { seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { filesRoutes } from './http/files.routes.ts';
import { internalRoutes } from './http/internal.routes.ts';
import { playersRoutes } from './http/players.routes.ts';
import { createSignedUrls } from './http/signed-urls.ts';
import { uploadsRoutes } from './http/uploads.routes.ts';
import { jobs } from './jobs.ts';
import { createQuotaOf } from './use-cases/storage-quota.ts';
import { createVerifier } from './use-cases/verify-upload.ts';

/** Files, their versions and uploads, reservations, group assignment, and what players get of them. */
export const fileService = defineService<FileDb, Config>({
  name: 'file',
  usesStorage: true,
  signsAddresses: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  create(context) {
    const { clock, databaseUrl, logger, peers, storage, store } = context;
    // Asked for the few calls that depend on it.
    const rankOf = async (partnerId: number) =>
      (await peers.call(findPartner, { body: { partnerId } })).contractRank;
    const watch = createChangeWatch({ connectionString: databaseUrl, logger });
    const quotaOf = createQuotaOf(context.config.storageQuotas, rankOf);
    const parts = { clock, logger, quotaOf, storage, store, watch };
    const tools = { ...parts, verifier: createVerifier(parts) };
    const urls = createSignedUrls({ clock, storage });
    const exporter = createExporter(context, [fileExport({ clock })]);
    watch.start();
    return {
      routes: [
        ...filesRoutes({ ...tools, peers }, urls),
        ...uploadsRoutes({ ...tools, peers }, urls),
        ...playersRoutes(tools, urls),
        ...internalRoutes({ ...tools, knownFiles: createKnownFiles({ clock, store, watch }) }),
      ],
      subscriptions,
      rankOf,
      jobs: [...jobs(tools), exporter.job],
      seed: async () => seedDemo({ ...tools, peers }),
      close: async () => {
        await exporter.close();
        await tools.verifier.idle();
        await watch.close();
      },
    };
  },
});
