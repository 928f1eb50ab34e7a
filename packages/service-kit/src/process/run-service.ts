import { withClient } from '@portal/database';
import pg from 'pg';
import { databasesOn } from '../host/databases.ts';
import { untilThere } from '../host/waiting.ts';
import type { ServiceDefinition } from '../service.ts';
import { runProcess } from './run-process.ts';
import { databaseSettings } from './settings.ts';
import { openStorage, storageProblems } from './storage.ts';

/** Runs a service as a process of its own, on Kafka, PostgreSQL and, if it uses it, S3. Never returns. */
export async function runService(service: ServiceDefinition): Promise<never> {
  return runProcess(
    { name: service.name, settings: databaseSettings },
    async (host) => {
      const { clock, env, internalKeys, bus, logger, step, stopping, telemetry, transport } = host;
      const waiting = { logger, signal: stopping };
      const { DATABASE_PASSWORD: password, DATABASE_URL: adminUrl } = host.settings;
      await step('database', () =>
        untilThere(
          `PostgreSQL at ${new URL(adminUrl).host}`,
          () => withClient(adminUrl, async () => undefined),
          {
            ...waiting,
            isFinal: isRefusal,
          },
        ),
      );
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

/** PostgreSQL is there and will not have us, which no waiting heals: a wrong role or password, or no such database. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');
}
