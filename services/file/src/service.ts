import { defineService, systemScope } from '@portal/service-kit';
import { applicationsRoutes } from './applications/http/applications.routes.ts';
import { approvalsRoutes } from './approvals/http/approvals.routes.ts';
import { calendarRoutes } from './calendar/http/calendar.routes.ts';
import { type Config, config } from './config.ts';
import { contractOf, contractReader, knowPartner } from './copies/data/copies-repository.ts';
import { type FileDb, PrismaClient } from './data/db.ts';
import { partnerRows } from './data/partner-rows.ts';
import { createChangeWatch } from './delivery/data/change-watch.ts';
import { createKnownFiles } from './delivery/data/known-files.ts';
import { createSharedAnswers } from './delivery/data/shared-answers.ts';
import { playersRoutes } from './delivery/http/players.routes.ts';
import { seedDemo } from './demo/seed.ts';
import { subscriptions } from './events/subscriptions.ts';
import { filesRoutes } from './files/http/files.routes.ts';
import { createQuotaOf } from './files/use-cases/storage-quota.ts';
import { internalRoutes } from './http/internal.routes.ts';
import { jobs } from './jobs.ts';
import { previewsRoutes } from './previews/http/previews.routes.ts';
import { receiptsRoutes } from './receipts/http/receipts.routes.ts';
import { createReceiptIntake } from './receipts/use-cases/receipt-intake.ts';
import { rolloutsRoutes } from './rollouts/http/rollouts.routes.ts';
import { createRequirePilots } from './rollouts/use-cases/pilots.ts';
import { createSignedUrls } from './signed-urls/http/signed-urls.ts';
import { templatesRoutes } from './templates/http/templates.routes.ts';
import { createReadTemplate } from './templates/use-cases/read-template.ts';
import { uploadsRoutes } from './uploads/http/uploads.routes.ts';
import { createVerifier } from './uploads/use-cases/verify-upload.ts';
import { versionsRoutes } from './versions/http/versions.routes.ts';
import { createCreatorOf } from './versions/use-cases/creator.ts';

/** Files and applications, their versions and uploads, reservations, group assignment, and what players get of them. */
export const fileService = defineService<FileDb, Config>({
  name: 'file',
  usesStorage: true,
  signsAddresses: true,
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  create(context) {
    const { clock, databaseUrl, direct, logger, peers, seals, storage, store } = context;
    const watch = createChangeWatch({ connectionString: databaseUrl, logger });
    const answers = createSharedAnswers({ direct, watch });
    const quotaOf = createQuotaOf(
      context.config.storageQuotas,
      async (partnerId) => (await contractOf(context, partnerId)).contractRank,
    );
    const creatorOf = createCreatorOf(context);
    const requirePilots = createRequirePilots({ peers, store });
    const parts = {
      answers,
      clock,
      creatorOf,
      direct,
      logger,
      quotaOf,
      requirePilots,
      storage,
      store,
      watch,
    };
    const deps = { ...parts, verifier: createVerifier(parts) };
    const allTenants = systemScope('what all tenants tell of an application is its publisher’s to count');
    const intake = createReceiptIntake({ ...deps, allTenants });
    const urls = createSignedUrls({ clock, storage });
    watch.start();
    return {
      routes: [
        ...applicationsRoutes({ ...deps, peers }, urls),
        ...filesRoutes({ ...deps, peers, seals }, urls),
        ...versionsRoutes({ ...deps, peers, seals }, urls),
        ...previewsRoutes({ ...deps, peers, seals }),
        ...approvalsRoutes({ ...deps, peers }),
        ...rolloutsRoutes({ ...deps, peers, seals }),
        ...receiptsRoutes({ ...deps, allTenants, intake, peers }),
        ...calendarRoutes({ ...deps, peers, publicUrl: context.config.publicUrl }),
        ...uploadsRoutes({ ...deps, peers }, urls),
        ...playersRoutes({ ...deps, downloadsPerSecond: context.config.downloadsPerSecond, intake }, urls),
        ...templatesRoutes(createReadTemplate({ url: context.config.templatesUrl, clock, logger })),
        ...internalRoutes({ ...deps, intake, knownFiles: createKnownFiles(deps) }),
      ],
      subscriptions: subscriptions({ clock }),
      contractOf: contractReader(context),
      unitOf: async (partnerId) => (await knowPartner(context, partnerId)).unitId,
      jobs: jobs({ ...deps, databaseUrl }),
      seed: async () => seedDemo({ ...deps, peers }),
      async close() {
        await watch.close();
      },
    };
  },
});
