import { access, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { newMigration } from './author.ts';
import { isMissing } from './files.ts';
import { generateClient } from './generate.ts';

const services = resolve(import.meta.dirname, '../../../services');
const usage = `usage: node packages/database/src/cli.ts new <service> <migration_name>
       node packages/database/src/cli.ts generate [service...]`;

const [command, ...args] = process.argv.slice(2);
if (command === 'new' && args.length === 2) await createMigration(args[0] ?? '', args[1] ?? '');
else if (command === 'generate') await generate(args.length > 0 ? args : await servicesWithSchema());
else {
  console.error(usage);
  process.exitCode = 1;
}

async function createMigration(service: string, name: string): Promise<void> {
  const file = await newMigration(join(services, service), name, new Date());
  console.log(file === undefined ? `${service}: nothing changed` : `${service}: ${relative(process.cwd(), file)}`);
}

async function generate(names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (await generateClient(join(services, name))) console.log(`${name}: client generated`);
  }
}

async function servicesWithSchema(): Promise<string[]> {
  const entries = await readdir(services, { withFileTypes: true });
  const checked = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        try {
          await access(join(services, name, 'prisma', 'schema.prisma'));
          return [name];
        } catch (error) {
          if (isMissing(error)) return [];
          throw error;
        }
      }),
  );
  return checked.flat();
}
