import { assertMigrated, serviceUrl, withClient } from '@portal/database';
import { createLogger } from '@portal/kernel';
import type { ObjectStorage } from '@portal/storage';
import pg from 'pg';
import { z } from 'zod';
import { demoProblems } from '../demo.ts';
import { databasesOn } from '../host/databases.ts';
import { commonSettings, problemsWithoutDemo, readSettings } from '../host/settings.ts';
import { retryUntilAvailable } from '../host/waiting.ts';
import type { ServiceDefinition } from '../service.ts';
import { runProcess } from './run-process.ts';
import { databaseSettings, provisionSettings } from './settings.ts';
import { openObjects, openStorage, storageProblems } from './storage.ts';

/**
 * Runs a service as a process of its own, on Kafka, PostgreSQL and, if it uses it, S3. With the argument `provision` it does
 * no more than make its database and roles and bring the database up to date: that takes rights which a service does not
 * have, and comes before a new version starts. Never returns.
 */
export async function runService(service: ServiceDefinition): Promise<never> {
  if (process.argv[2] === 'provision') return provisionService(service);
  return runProcess(
    { name: service.name, settings: databaseSettings },
    async (host) => {
      const { clock, env, internalKeys, bus, logger, step, stopping, telemetry, transport } = host;
      const waiting = { logger, signal: stopping };
      const url = ownDatabase(service, host.settings);
      await step('database', () =>
        // Also a login that is refused: the step that makes it, or gives it a new password, may not be over.
        retryUntilAvailable(
          `the database ${nameOf(url)}`,
          () => assertMigrated({ url, directories: service.migrations }),
          waiting,
        ),
      );
      const storage = service.usesStorage
        ? await step('storage', () => openFor(service, env, { clock, logger, stopping }))
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
          prepareDatabase: async () => url,
        }),
      );
      return {
        app: running.app,
        begin() {
          running.work();
          if (host.settings.DEMO) {
            void retryUntilAvailable('the demo data', () => running.seed(), waiting).catch(() => undefined);
          }
        },
        stop: () => running.stop(),
      };
    },
    async (env, settings) => [
      ...service.checkSettings(env),
      ...(service.usesStorage ? storageProblems(env, service) : []),
      ...(await demoProblems(ownDatabase(service, settings), settings.DEMO)),
    ],
  );
}

const openFor = async (
  { signsAddresses }: ServiceDefinition,
  ...[env, opening]: Parameters<typeof openStorage>
): Promise<ObjectStorage> =>
  signsAddresses ? (await openStorage(env, opening)).storage : openObjects(env, opening);

const ownDatabase = (
  { name }: ServiceDefinition,
  settings: { readonly DATABASE_URL: string; readonly DATABASE_PASSWORD: string },
) => serviceUrl(settings.DATABASE_URL, name, settings.DATABASE_PASSWORD);

async function provisionService(service: ServiceDefinition): Promise<never> {
  const { problems = [], settings } = readSettings(
    z.object({ ...commonSettings, ...provisionSettings }),
    process.env,
  );
  const wrong = settings ? problemsWithoutDemo(settings, process.env) : problems;
  if (!settings || wrong.length > 0) return fail(wrong);
  const { DATABASE_ADMIN_URL: adminUrl, LOG_LEVEL: level } = settings;
  const passwords = { role: settings.DATABASE_PASSWORD, owner: settings.DATABASE_OWNER_PASSWORD };
  const logger = createLogger({ level }).child({ service: service.name });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  try {
    await retryUntilAvailable(
      `PostgreSQL at ${new URL(adminUrl).host}`,
      () => withClient(adminUrl, async () => undefined),
      { logger, signal: stopping.signal, isFinal: isRefusal },
    );
    const prepare = databasesOn({ adminUrl, passwordsOf: () => passwords, logger });
    const url = await prepare(service.name, service.migrations);
    const mixedUp = await demoProblems(url, settings.DEMO);
    if (mixedUp.length > 0) return fail(mixedUp);
    logger.info('The database is up to date');
  } catch (error) {
    logger.fatal({ err: error }, 'The database could not be brought up to date');
    return process.exit(1);
  }
  return process.exit();
}

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${pathname.slice(1)} at ${host}`;
}

/** PostgreSQL is there and will not have us, which no waiting heals: a wrong role or password, or no such database. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');
}
