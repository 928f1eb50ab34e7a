import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serviceNames, services } from '../packages/contracts/src/index.ts';
import { loadSecrets, originSetting, publicKeysIn } from '../packages/service-kit/src/host/index.ts';

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
const noted: Record<string, string> = JSON.parse(
  await readFile(join(dataDir, `processes${set}.json`), 'utf8').catch(() => '{}'),
);
const secrets = await loadSecrets(dataDir);
const own = noted[originSetting(service)];
const defaults = {
  ...noted,
  ...(own && { PORT: new URL(own).port }),
  INTERNAL_KEYS: secrets.internalKeysOf(service).join(','),
  INTERNAL_PUBLIC_KEYS: publicKeysIn(secrets),
  ...(services[service].engines.includes('database') && {
    DATABASE_PASSWORD: secrets.databaseOf(service).role,
  }),
  ...secrets.sharedWith(service),
};
for (const [setting, value] of Object.entries(defaults)) process.env[setting] ||= value;
// What was set and noted is the address of the administrator, whom the service must not be.
if (process.env['DATABASE_URL']) process.env['DATABASE_URL'] = withoutRole(process.env['DATABASE_URL']);
await writeFile(join(dataDir, 'pids', `${service}${set}.pid`), `${process.pid}\n`);
await import(`../services/${service}/src/main.ts`);

function withoutRole(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
