import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { type ServiceName, serviceNames } from '../packages/contracts/src/index.ts';
import {
  lockDataFolder,
  markDemoFolder,
  notesOf,
  readSettings,
} from '../packages/service-kit/src/host/index.ts';
import {
  kafkaConnectionOf,
  kafkaSettings,
  objectSettings,
  processSettings,
  storageSettings,
} from '../packages/service-kit/src/process/settings.ts';
import { requireFreePorts, startEngines, startServices } from '../packages/testing/src/distributed.ts';
import { checkSettings } from '../services/embedded/src/check-settings.ts';

/**
 * The product as in production, on this machine: one process per service, on Kafka, PostgreSQL and S3. A service that
 * dies is not started again, which is the cluster's work, and the others go on.
 */

const lastFirstPort = 65_536 - serviceNames.length;
const { problems, settings } = checkSettings(process.env);
// What is missing else is made or started.
const ofProcesses = readSettings(
  z.object({ ...processSettings('gateway'), ...objectSettings, ...storageSettings }).partial(),
  process.env,
);
const wrong = [
  ...new Set([
    ...(problems ?? []),
    ...(ofProcesses.problems ?? []),
    ...problemsOfKafka(),
    ...problemsOfStorage(),
  ]),
];
if (settings && settings.port > lastFirstPort)
  wrong.push(`PORT must be from 1 to ${lastFirstPort}: the services take those behind it`);
if (wrong.length > 0 || !settings) {
  for (const line of wrong) console.error(line);
  process.exit(1);
}
const { dataDir, host, port: firstPort, publicUrl } = settings;
const portOf = (service: ServiceName) => firstPort + serviceNames.indexOf(service);
const step = (text: string) => console.log(`• ${text}`);
const stopping = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.resolve());

const stops: (() => Promise<void>)[] = [];
try {
  stops.push(await lockDataFolder(dataDir));
  await requireFreePorts(portOf, host);
  const engines = await startEngines({ dataDir, given: process.env, step });
  stops.push(() => engines.stop());
  step('Starting the services');
  let ending = false;
  const set = await startServices({
    dataDir,
    host,
    env: { PUBLIC_URL: publicUrl, ...engines.settings },
    portOf,
    onExit(service, how) {
      if (!ending)
        console.log(`${service} ended with ${how}; npm run start:service -- ${service} starts it again`);
    },
  });
  stops.push(() => set.stop());
  if (settings.demo) await markDemoFolder(dataDir);
  // What it says leads nowhere once the engines are gone.
  stops.push(() => rm(notesOf(dataDir), { force: true }));
  announce(publicUrl, engines.settings);
  await stopping.promise;
  ending = true;
  step('Stopping');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
for (const stop of stops.reverse()) await stop();
process.exit();

/** What is given in part would be found wanting by the services, after all else has started. */
function problemsOfKafka(): readonly string[] {
  if (!process.env['KAFKA_BROKERS']) return [];
  const read = readSettings(z.object(kafkaSettings), process.env);
  return read.problems ?? kafkaConnectionOf(read.settings).problems;
}

function problemsOfStorage(): readonly string[] {
  if (!process.env['S3_ENDPOINT']) return [];
  return readSettings(z.object(objectSettings), process.env).problems ?? [];
}

function announce(url: string, engines: Readonly<Record<string, string>>): void {
  console.log(`\nThe portal is ready: ${url}\n`);
  for (const [name, value] of Object.entries(engines)) {
    if (/SECRET|ACCESS_KEY/.test(name)) continue;
    // The server's superuser is for the services; people get the address alone.
    console.log(`  ${name}=${name === 'DATABASE_URL' ? new URL(value).host : value}`);
  }
  console.log(`\n  Process ids in ${dataDir}/pids, logs in ${dataDir}/logs\n`);
}
