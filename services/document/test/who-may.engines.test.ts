import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@portal/testing/engines';
import { describeWhoMay } from './who-may-suite.ts';

describeWhoMay('Documents in MongoDB', async () => {
  const engine = await startMongo({ dataDir: await mkdtemp(join(tmpdir(), 'portal-mongodb-')) });
  return { env: { MONGODB_URL: engine.url }, stop: async () => engine.remove() };
});
