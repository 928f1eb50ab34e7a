import { join } from 'node:path';
import type { ServiceName } from '@portal/contracts';
import { startEmbeddedPostgres } from '@portal/database';
import { startGateway } from '@portal/gateway-service';
import { isUnavailable, type Logger, systemClock } from '@portal/kernel';
import { createInProcessEventBus } from '@portal/messaging';
import type { Infrastructure, RunningService, ServiceDefinition } from '@portal/service-kit';
import {
  databasesOn,
  internalKeysIn,
  loadSecrets,
  markDemoFolder,
  openFront,
  refuseDemoFolder,
  retryUntilAvailable,
  type Secrets,
  startTelemetry,
} from '@portal/service-kit/host';
import { createLocalDiskStorage, createUrlSigner } from '@portal/storage';
import type { FastifyInstance } from 'fastify';
import { createInProcessNetwork } from './in-process.ts';
import { services } from './services.ts';
import type { Settings } from './settings.ts';

/** On a busy machine a service may be out of reach for a moment. In milliseconds. */
const demoWithinMs = 120_000;

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
    if (!settings.demo) await refuseDemoFolder(settings.dataDir);
    const telemetry = await startTelemetry({ service: 'portal', env: options.env, logger });
    stops.push(() => telemetry.shutdown());
    const secrets = await loadSecrets(settings.dataDir);
    const keysOf = internalKeysIn(secrets);
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
    step('Bringing the databases up to date');
    const urls = await prepareDatabases(adminUrl, secrets, logger);
    const shared = {
      env: {
        ...options.env,
        PUBLIC_URL: settings.publicUrl,
        DEMO: settings.demo ? '1' : '0',
      },
      clock,
      logger,
      bus,
      storage,
      transport: network.transport,
      longestRetryMs: settings.longestRetryMs,
      telemetry,
      prepareDatabase: async (service: ServiceName) => present(urls.get(service), service),
    };
    const infrastructureOf = ({ name }: ServiceDefinition): Infrastructure => ({
      ...shared,
      env: { ...shared.env, ...secrets.sharedWith(name) },
      internalKeys: keysOf(name),
    });

    step('Starting the services');
    const running = await startServices(infrastructureOf, network.add, stops);
    // After the services, which have not refused it.
    if (settings.demo) await markDemoFolder(settings.dataDir);
    for (const service of running) service.work();
    const gateway = await openGateway();
    // Until it serves, every call is refused as not ready: nobody signs in to half a demo.
    const front = await openFront({ host: settings.host, port: settings.port, ...settings.front });
    stops.push(() => front.close());
    if (settings.demo) {
      step('Looking after the demo data');
      const waiting = {
        logger,
        signal: AbortSignal.timeout(demoWithinMs),
        isFinal: (error: unknown) => !isUnavailable(error),
      };
      await Promise.all(
        running.map((service) => retryUntilAvailable('the demo data', () => service.seed(), waiting)),
      );
    }
    front.serve(gateway);
    return { address: settings.publicUrl, stop };

    async function openGateway(): Promise<FastifyInstance> {
      const gateway = await startGateway(
        {
          ...shared,
          internalKeys: keysOf('gateway'),
          storage,
          signer,
          upstream: network.upstream,
          readiness: Object.fromEntries(running.map((service) => [service.name, () => service.ready()])),
        },
        settings,
      );
      stops.push(() => gateway.stop());
      return gateway.app;
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

/** @returns where each service finds its own */
async function prepareDatabases(
  adminUrl: string,
  secrets: Secrets,
  logger: Logger,
): Promise<ReadonlyMap<ServiceName, string>> {
  const prepare = databasesOn({ adminUrl, passwordsOf: secrets.databaseOf, logger });
  return new Map(
    await Promise.all(
      services.map(async ({ migrations, name }) => [name, await prepare(name, migrations)] as const),
    ),
  );
}

async function startServices(
  infrastructureOf: (service: ServiceDefinition) => Infrastructure,
  onStarted: (service: RunningService) => void,
  stops: (() => Promise<void>)[],
): Promise<RunningService[]> {
  const started = await Promise.allSettled(
    services.map((service) => service.start(infrastructureOf(service))),
  );
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const service of running) {
    stops.push(() => service.stop());
    onStarted(service);
  }
  const failure = started.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  return running;
}

function present<T>(value: T | undefined, service: string): T {
  if (value === undefined) throw new Error(`The host has no service ${service}`);
  return value;
}
