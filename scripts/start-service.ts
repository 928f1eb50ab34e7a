import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serviceNames } from '../packages/contracts/src/index.ts';
import { notedSettings, overNotes, withoutRole } from '../packages/service-kit/src/host/index.ts';

/**
 * One service alone: `npm run start:service -- <service>`. What the environment leaves open comes from the data folder:
 * the addresses that `npm run start:distributed` noted there, and the service's own secrets of this installation.
 */

const name = process.argv[2];
const service = serviceNames.find((known) => known === name);
if (!service) {
  console.error(`Which service? One of ${serviceNames.join(', ')}.`);
  process.exit(1);
}

const dataDir = resolve(process.env['DATA_DIR'] || '.data');
const set = process.env['SERVICE_SET'] ?? '';
await mkdir(join(dataDir, 'pids'), { recursive: true });
process.env = { ...overNotes(service, await notedSettings(service, { dataDir, set }), process.env) };
if (process.env['DATABASE_URL']) process.env['DATABASE_URL'] = withoutRole(process.env['DATABASE_URL']);
await writeFile(join(dataDir, 'pids', `${service}${set}.pid`), `${process.pid}\n`);
await import(`../services/${service}/src/main.ts`);
