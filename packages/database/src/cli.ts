import { join, relative, resolve } from 'node:path';
import { newMigration } from './author.ts';
import { generateClient, generateClients } from './generate.ts';

const root = resolve(import.meta.dirname, '../../..');
const services = join(root, 'services');
const usage = `usage: node packages/database/src/cli.ts new <service> <migration_name>
       node packages/database/src/cli.ts generate [service...]`;

const [command, ...args] = process.argv.slice(2);
const [service, name] = args;
if (command === 'new' && service && name) await createMigration(service, name);
else if (command === 'generate') await generate(args);
else {
  console.error(usage);
  process.exitCode = 1;
}

async function createMigration(service: string, name: string): Promise<void> {
  const file = await newMigration(join(services, service), name, new Date());
  console.log(`${service}: ${file === undefined ? 'nothing changed' : relative(process.cwd(), file)}`);
}

/** Without names: every service, the example of one, and the fixture that this package is tested with. */
async function generate(names: readonly string[]): Promise<void> {
  if (names.length === 0) {
    await generateClients(services);
    await generateClients(join(root, 'examples'));
    await generateClients(join(root, 'packages', 'database', 'test'));
  }
  for (const name of names) await generateClient(join(services, name));
}
