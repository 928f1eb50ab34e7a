/**
 * A process with the push service, on the database that its first argument names, the folder of objects that the second names, and
 * with the settings of its environment. It says `ready` when it works, and stops when its input ends.
 */
import { randomBytes } from 'node:crypto';
import { serviceNames } from '@portal/contracts';
import { createLogger, systemClock } from '@portal/kernel';
import { createInProcessEventBus } from '@portal/messaging';
import { internalKeysOf, publicKeyOf } from '@portal/service-kit/host';
import { createLocalDiskStorage, createUrlSigner } from '@portal/storage';
import { pushService } from '../src/service.ts';

const [url = '', objects = ''] = process.argv.slice(2);
const clock = systemClock();
const logger = createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
const seed = randomBytes(32);
const known = new Map(serviceNames.map((name) => [name, [publicKeyOf(seed)]]));
const service = await pushService.start({
  env: process.env,
  clock,
  logger,
  bus: createInProcessEventBus({ logger }),
  storage: await createLocalDiskStorage({
    directory: objects,
    clock,
    signer: createUrlSigner({ publicUrl: 'http://portal.test', secret: randomBytes(32), clock }),
  }),
  internalKeys: internalKeysOf('push', [seed], known),
  transport: { request: async () => Promise.reject(new Error('It is alone')) },
  prepareDatabase: async () => url,
});
service.work();
process.stdout.write('ready\n');
process.stdin.resume().once('end', () => void service.stop().then(() => process.exit(0)));
