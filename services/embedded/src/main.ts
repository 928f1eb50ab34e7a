import { createLogger } from '@portal/kernel';
import {
  DataFolderInUse,
  DemoMixedUp,
  demoPassword,
  lockDataFolder,
  readableLogs,
} from '@portal/service-kit/host';
import { checkSettings } from './check-settings.ts';
import { startHost } from './host.ts';

const { problems, settings } = checkSettings({ ...process.env, KEY_ENCRYPTION_KEY: undefined });
if (problems) fail(problems);

const logger = createLogger({ level: settings.logLevel }, await readableLogs());
const step = (text: string) => console.log(`• ${text}`);

const unlock = await lockDataFolder(settings.dataDir).catch((error: unknown) =>
  fail([error instanceof DataFolderInUse ? error.message : String(error)]),
);

const ending = new AbortController();
const stopped = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());

try {
  const host = await startHost(settings, { env: process.env, logger, step });
  announce(host.address);
  await stopped;
  step('Stopping');
  await host.stop();
} catch (error) {
  const isMixedUp = error instanceof DemoMixedUp;
  console.error(
    error instanceof Error ? error.message : error,
    ...(isMixedUp ? [`(${settings.dataDir})`] : []),
  );
  if (!isMixedUp) logger.fatal({ err: error }, 'The portal could not start');
  process.exitCode = 1;
} finally {
  await unlock();
}
process.exit();

function announce(address: string): void {
  console.log(`\nThe portal is ready: ${address}\n`);
  if (!settings?.demo) return;
  console.log(`  Company portal   ${address}/partner/login/?partner_code=1000   partner@example.com`);
  console.log(`  Administration   ${address}/admin/login                        admin@example.com`);
  console.log('  Player           npm run player -- --code 1000 --user taro');
  console.log(`  Password of every demo account: ${demoPassword}\n`);
}

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}
