import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { identityEvents, servicesWithDatabase, tenantEvents } from '../packages/contracts/src/index.ts';
import { allSubscriptions } from './subscriptions.ts';

/**
 * Writes the generated documents (`openapi`, `asyncapi` with the page of events, or both); `--check` fails when one is
 * stale instead.
 */

const root = join(import.meta.dirname, '..');
/** As long as the formatter lets a line be, with the comma behind it. */
const longestLine = 109;
const receiversFile = 'packages/contracts/src/documents/receivers.json';
const [wanted] = process.argv.slice(2);
let stale = 0;

const isWanted = (command: string) => wanted === '--check' || wanted === undefined || wanted === command;

if (isWanted('asyncapi')) settle(receiversFile, await receivers(), 'asyncapi');
// Only now: the documents are made with the receivers.
const { allRoutes } = await import('../packages/contracts/src/catalogue.ts');
const { asyncApiDocument, eventsPage, openApiDocument } = await import(
  '../packages/contracts/src/documents/index.ts'
);
if (isWanted('openapi')) settle('docs/openapi.json', toJson(openApiDocument(allRoutes)), 'openapi');
if (isWanted('asyncapi')) {
  settle('docs/asyncapi.json', toJson(asyncApiDocument()), 'asyncapi');
  settle('docs/events.md', `${handWritten('docs/events.md')}\n${eventsPage()}`, 'asyncapi');
}
process.exit(stale === 0 ? 0 : 1);

function settle(file: string, text: string, command: string): void {
  const path = join(root, file);
  if (wanted !== '--check') writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${file} is stale: npm run ${command}`);
    stale += 1;
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The beginning of a page, up to and with the line that says that the rest is generated. */
function handWritten(file: string): string {
  const [, beginning] =
    /^([\s\S]*?\n<!-- generated[^\n]*-->\n)/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (beginning === undefined)
    throw new Error(`${file} has no line that says where the generated part begins`);
  return beginning;
}

/** Which services an event has an effect in, from the subscriptions of each: one line of JSON per event. */
async function receivers(): Promise<string> {
  const byType = new Map<string, string[]>();
  for (const { event, service } of await allSubscriptions()) {
    byType.set(event.type, [...new Set([...(byType.get(event.type) ?? []), service])]);
  }
  // Ended sessions and roles are followed by whoever checks tokens: the kit does it for every service, and the gateway.
  const everyone = globSync('services/*/package.json', { cwd: root })
    .map((path) => path.split(sep)[1] ?? '')
    .filter((name) => name !== 'embedded')
    .sort();
  for (const { type } of [identityEvents.sessionRevoked, identityEvents.adminUpdated])
    byType.set(type, everyone);
  byType.set(identityEvents.signOutsSettled.type, ['user']);
  // And it deletes the rows of a deleted partner in every database.
  byType.set(tenantEvents.partnerDeleted.type, [...servicesWithDatabase].sort());
  const lines = [...byType].sort().map(([type, services]) => line(JSON.stringify(type), services));
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** As the formatter has it: what is too long for a line has a line for each service. */
function line(type: string, services: readonly string[]): string {
  const names = services.map((service) => JSON.stringify(service));
  const short = `  ${type}: [${names.join(', ')}]`;
  return short.length <= longestLine ? short : `  ${type}: [\n    ${names.join(',\n    ')}\n  ]`;
}
