import { join } from 'node:path';
import { batchService } from '@portal/batch-service';
import { startEmbeddedPostgres } from '@portal/database';
import { fileService } from '@portal/file-service';
import { startGateway } from '@portal/gateway-service';
import { identityService } from '@portal/identity-service';
import { type Logger, systemClock } from '@portal/kernel';
import { mailService } from '@portal/mail-service';
import { createInProcessEventBus } from '@portal/messaging';
import type { Infrastructure, RunningService, ServiceDefinition } from '@portal/service-kit';
import {
  databasesOn,
  internalKeysOf,
  loadSecrets,
  openFront,
  startTelemetry,
} from '@portal/service-kit/host';
import { createLocalDiskStorage, createUrlSigner } from '@portal/storage';
import { tenantService } from '@portal/tenant-service';
import { userService } from '@portal/user-service';
import { createInProcessNetwork } from './in-process.ts';
import type { Settings } from './settings.ts';

export const services: readonly ServiceDefinition[] = [
  tenantService,
  identityService,
  userService,
  fileService,
  batchService,
  mailService,
];

export interface Host {
  /** Where the portal answers. */
  readonly address: string;
  /** Requests end, then the workers, then the connections, then PostgreSQL. */
  stop(): Promise<void>;
}

/** Starts every service in this process, on PostgreSQL and the local disk, behind one gateway. */
export async function startHost(
  settings: Settings,
  options: { env: Infrastructure['env']; logger: Logger; step: (text: string) => void },
): Promise<Host> {
  const { logger, step } = options;
  const clock = systemClock(settings.clockOffsetMs);
  const stops: (() => Promise<void>)[] = [];
  /** In the reverse order of the start. */
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };

  try {
    const telemetry = await startTelemetry({ service: 'portal', env: options.env, logger });
    stops.push(() => telemetry.shutdown());
    const secrets = await loadSecrets(settings.dataDir);
    const internalKeys = internalKeysOf([Buffer.from(secrets.internalKey, 'base64')]);
    const adminUrl = settings.databaseUrl ?? (await startPostgres(settings, logger, step, stops));
    const signer = createUrlSigner({
      publicUrl: settings.publicUrl,
      secret: Buffer.from(secrets.storageSecret, 'base64'),
      clock,
    });
    const storage = await createLocalDiskStorage({
      directory: join(settings.dataDir, 'objects'),
      clock,
      signer,
    });
    const bus = createInProcessEventBus({ logger });
    stops.push(() => bus.close());
    const network = createInProcessNetwork();
    const infrastructure: Infrastructure = {
      env: {
        ...options.env,
        KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
        PUBLIC_URL: settings.publicUrl,
        DEMO: settings.demo ? '1' : '0',
      },
      clock,
      logger,
      bus,
      storage,
      transport: network.transport,
      internalKeys,
      longestRetryMs: settings.longestRetryMs,
      telemetry,
      prepareDatabase: databasesOn({ adminUrl, password: secrets.databasePassword, logger }),
    };

    step('Starting the services');
    const running = await startServices(infrastructure, network.add, stops);
    const address = await listen();
    if (settings.demo) {
      step('Looking after the demo data');
      await Promise.all(running.map((service) => service.seed()));
    }
    return { address, stop };

    async function listen(): Promise<string> {
      for (const service of running) service.work();
      const gateway = await startGateway(
        {
          ...infrastructure,
          storage,
          signer,
          upstream: network.upstream,
          readiness: Object.fromEntries(running.map((service) => [service.name, () => service.ready()])),
        },
        settings,
      );
      stops.push(() => gateway.stop());
      const front = await openFront({ host: settings.host, port: settings.port, ...settings.front });
      stops.push(() => front.close());
      front.serve(gateway.app);
      return settings.publicUrl;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(
  settings: Settings,
  logger: Logger,
  step: (text: string) => void,
  stops: (() => Promise<void>)[],
): Promise<string> {
  step('Starting PostgreSQL');
  const postgres = await startEmbeddedPostgres({ dataDir: join(settings.dataDir, 'postgres'), logger });
  stops.push(() => postgres.stop());
  return postgres.adminUrl;
}

async function startServices(
  infrastructure: Infrastructure,
  onStarted: (service: RunningService) => void,
  stops: (() => Promise<void>)[],
): Promise<RunningService[]> {
  const started = await Promise.allSettled(services.map((service) => service.start(infrastructure)));
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const service of running) {
    stops.push(() => service.stop());
    onStarted(service);
  }
  const failure = started.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  return running;
}
