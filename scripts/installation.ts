import { join, resolve } from 'node:path';
import { findEmbeddedPostgres, withClient } from '../packages/database/src/index.ts';
import type { KafkaConnection } from '../packages/messaging/src/kafka/kafka-event-bus.ts';
import { readNotes } from '../packages/service-kit/src/host/index.ts';
import { readKafkaConnection } from '../packages/service-kit/src/process/settings.ts';

/** The engines of a portal that runs, in either host. */
export interface Installation {
  /** Of the role that made the databases of the services. */
  readonly adminUrl: string;
  /** How Kafka is reached; undefined in the embedded host. */
  readonly kafka: KafkaConnection | undefined;
}

/**
 * Finds the engines by the settings, else by what `npm run start:distributed` noted in the data folder, else the
 * PostgreSQL that the embedded host runs there.
 * @throws Error that says what to set when there is none
 */
export async function findInstallation(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Installation> {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const noted = await readNotes(dataDir);
  const brokers = env['KAFKA_BROKERS'] || noted['KAFKA_BROKERS'];
  const kafka = brokers === undefined ? undefined : readKafkaConnection({ ...env, KAFKA_BROKERS: brokers });
  if (env['DATABASE_URL']) return { adminUrl: env['DATABASE_URL'], kafka };
  const { DATABASE_URL: notedUrl } = noted;
  // What was noted may be of a portal that was killed.
  if (notedUrl && (await answers(notedUrl))) return { adminUrl: notedUrl, kafka };
  const embeddedUrl = await findEmbeddedPostgres(join(dataDir, 'postgres'));
  if (embeddedUrl) return { adminUrl: embeddedUrl, kafka: undefined };
  throw new Error(
    `No portal runs on the data folder ${dataDir}: start one, or set DATA_DIR to the folder of one that runs, ` +
      'or DATABASE_URL to its PostgreSQL',
  );
}

async function answers(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false);
}
