import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes } from '../packages/contracts/src/catalogue.ts';
import { asyncApiDocument, openApiDocument } from '../packages/contracts/src/documents/index.ts';

/** Writes the generated documents (`openapi`, `asyncapi`, or both); `--check` fails when one is stale instead. */

const documents = { openapi: () => openApiDocument(allRoutes), asyncapi: asyncApiDocument };
const [wanted] = process.argv.slice(2);

let stale = 0;
for (const [name, make] of Object.entries(documents)) {
  if (wanted !== '--check' && wanted !== undefined && wanted !== name) continue;
  const path = join(import.meta.dirname, '..', 'docs', `${name}.json`);
  const text = `${JSON.stringify(make(), null, 2)}\n`;
  if (wanted !== '--check') writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`docs/${name}.json is stale: npm run ${name}`);
    stale += 1;
  }
}
process.exit(stale === 0 ? 0 : 1);
