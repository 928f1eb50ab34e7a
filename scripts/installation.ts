import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findEmbeddedPostgres, withClient } from '../packages/database/src/index.ts';

/** The engines of a portal that runs, in either host. */
export interface Installation {
  /** Of the role that made the databases of the services. */
  readonly adminUrl: string;
  /** Kafka's first addresses; undefined in the embedded host. */
  readonly brokers: readonly string[] | undefined;
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
  const noted: Record<string, string> = JSON.parse(
    await readFile(join(dataDir, 'processes.json'), 'utf8').catch(() => '{}'),
  );
  const brokers = (env['KAFKA_BROKERS'] || noted['KAFKA_BROKERS'])?.split(',').map((broker) => broker.trim());
  if (env['DATABASE_URL']) return { adminUrl: env['DATABASE_URL'], brokers };
  const { DATABASE_URL: notedUrl } = noted;
  // What was noted may be of a portal that was killed.
  if (notedUrl && (await answers(notedUrl))) return { adminUrl: notedUrl, brokers };
  const embeddedUrl = await findEmbeddedPostgres(join(dataDir, 'postgres'));
  if (embeddedUrl) return { adminUrl: embeddedUrl, brokers: undefined };
  throw new Error(
    `No portal runs on the data folder ${dataDir}: start one, or set DATA_DIR to the folder of one that runs, ` +
      'or DATABASE_URL to its PostgreSQL',
  );
}

async function answers(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false);
}
