import { withClient } from '@portal/database';
import { createLogger, type Logger } from '@portal/kernel';
import pg from 'pg';
import { z } from 'zod';
import { databasesOn } from '../host/databases.ts';
import { commonSettings, readSettings } from '../host/settings.ts';
import { untilThere } from '../host/waiting.ts';
import type { ServiceDefinition } from '../service.ts';
import { runProcess } from './run-process.ts';
import { databaseSettings } from './settings.ts';
import { openStorage, storageProblems } from './storage.ts';

/**
 * Runs a service as a process of its own, on Kafka, PostgreSQL and, if it uses it, S3. With the argument `migrate` it
 * does no more than bring the database up to date, as an upgrade wants it before the new version starts. Never returns.
 */
export async function runService(service: ServiceDefinition): Promise<never> {
  if (process.argv[2] === 'migrate') return migrateService(service);
  return runProcess(
    { name: service.name, settings: databaseSettings },
    async (host) => {
      const { clock, env, internalKeys, bus, logger, step, stopping, telemetry, transport } = host;
      const waiting = { logger, signal: stopping };
      const { DATABASE_PASSWORD: password, DATABASE_URL: adminUrl } = host.settings;
      await step('database', () => untilDatabase(adminUrl, waiting));
      const storage = service.usesStorage
        ? (await step('storage', () => openStorage(env, { clock, logger, stopping }))).storage
        : undefined;
      const running = await step('start', () =>
        service.start({
          env,
          clock,
          logger,
          bus,
          transport,
          internalKeys,
          longestRetryMs: host.settings.EVENT_RETRY_LONGEST_SECONDS * 1_000,
          ...(telemetry && { telemetry }),
          ...(storage && { storage }),
          prepareDatabase: databasesOn({ adminUrl, password, logger }),
        }),
      );
      return {
        app: running.app,
        begin() {
          running.work();
          if (host.settings.DEMO) {
            void untilThere('the demo data', () => running.seed(), waiting).catch(() => undefined);
          }
        },
        stop: () => running.stop(),
      };
    },
    (env) => [...service.checkSettings(env), ...(service.usesStorage ? storageProblems(env) : [])],
  );
}

async function migrateService(service: ServiceDefinition): Promise<never> {
  const { problems, settings } = readSettings(
    z.object({ ...commonSettings, ...databaseSettings }),
    process.env,
  );
  if (problems) {
    for (const line of problems) console.error(line);
    return process.exit(1);
  }
  const { DATABASE_PASSWORD: password, DATABASE_URL: adminUrl, LOG_LEVEL: level } = settings;
  const logger = createLogger({ level }).child({ service: service.name });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  try {
    await untilDatabase(adminUrl, { logger, signal: stopping.signal });
    await databasesOn({ adminUrl, password, logger })(service.name, service.migrations);
    logger.info('The database is up to date');
  } catch (error) {
    logger.fatal({ err: error }, 'The database could not be brought up to date');
    return process.exit(1);
  }
  return process.exit();
}

async function untilDatabase(
  adminUrl: string,
  waiting: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  await untilThere(
    `PostgreSQL at ${new URL(adminUrl).host}`,
    () => withClient(adminUrl, async () => undefined),
    { ...waiting, isFinal: isRefusal },
  );
}

/** PostgreSQL is there and will not have us, which no waiting heals: a wrong role or password, or no such database. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');
}
