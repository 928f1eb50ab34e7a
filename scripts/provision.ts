import { resolve } from 'node:path';
import { createLogger } from '../packages/kernel/src/index.ts';
import {
  databasesOn,
  demoProblems,
  loadSecrets,
  readNotes,
  refuseDemoFolder,
} from '../packages/service-kit/src/host/index.ts';
import { services } from '../services/embedded/src/services.ts';

/**
 * `npm run provision`: makes the database and the roles of each service on the server of DATABASE_URL, an administrator's,
 * and brings them up to date. The services that start after it have neither that address nor the rights of owners. The
 * passwords are those of the data folder; the address may be what `npm run start:distributed` noted there.
 */

const dataDir = resolve(process.env['DATA_DIR'] || '.data');
const noted = await readNotes(dataDir, process.env['SERVICE_SET']);
const demo = (process.env['DEMO'] || noted['DEMO'] || '1') === '1';
try {
  const adminUrl = process.env['DATABASE_URL'] || noted['DATABASE_URL'];
  if (!adminUrl) throw new Error('DATABASE_URL is required: of a role that may create roles and databases');
  if (!demo) await refuseDemoFolder(dataDir);
  const secrets = await loadSecrets(dataDir);
  const logger = createLogger({ level: 'warn' });
  const prepare = databasesOn({ adminUrl, passwordsOf: secrets.databaseOf, logger });
  const problems = await Promise.all(
    services.map(async ({ migrations, name }) => demoProblems(await prepare(name, migrations), demo)),
  );
  if (problems.flat().length > 0) throw new Error(problems.flat().join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
