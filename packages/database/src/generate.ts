import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { exists, isMissing } from './files.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/**
 * Generates the service's Prisma client into `src/data/generated/` unless it is of this schema and this Prisma already;
 * answers whether it did. The schema's generator is to say
 *
 * ```prisma
 * generator client {
 *   provider               = "prisma-client"
 *   output                 = "../src/data/generated"
 *   runtime                = "nodejs"
 *   moduleFormat           = "esm"
 *   importFileExtension    = "ts"
 *   generatedFileExtension = "ts"
 * }
 * ```
 */
export async function generateClient(serviceDir: string): Promise<boolean> {
  const manifest = require.resolve('prisma/package.json');
  const schemaFile = join(serviceDir, 'prisma', 'schema.prisma');
  const output = join(serviceDir, 'src', 'data', 'generated');
  const stampFile = join(output, '.stamp');
  const [schema, prisma] = await Promise.all([readFile(schemaFile), readFile(manifest)]);
  const stamp = createHash('sha256').update(schema).update(prisma).digest('hex');
  const present = await readFile(stampFile, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (present === stamp) return false;

  await run(
    process.execPath,
    [join(dirname(manifest), 'build', 'index.js'), 'generate', '--schema', schemaFile],
    {
      cwd: serviceDir,
      env: {
        ...process.env,
        // Any existing file keeps Prisma from downloading an engine that generating does not use.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  );
  await writeFile(stampFile, stamp);
  return true;
}

/** Generates the clients of the services in a folder; answers the names of those that were stale. */
export async function generateClients(servicesDir: string): Promise<string[]> {
  const schemas = await Promise.all(
    (await readdir(servicesDir)).map(async (name) => {
      const known = await exists(join(servicesDir, name, 'prisma', 'schema.prisma'));
      return known ? [name] : [];
    }),
  );
  const generated: string[] = [];
  for (const name of schemas.flat()) {
    if (await generateClient(join(servicesDir, name))) generated.push(name);
  }
  return generated;
}
