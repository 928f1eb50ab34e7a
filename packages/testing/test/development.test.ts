import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
}

const root = resolve(import.meta.dirname, '../../..');
const file = join(root, 'docker-compose.dev.yml');
const text = readFileSync(file, 'utf8');
const compose = parse(text) as { services: Record<string, Service>; volumes: Record<string, unknown> };
const services = Object.entries(compose.services);

describe('docker-compose.dev.yml', () => {
  // The linter checks against the schema of the Compose Specification first.
  const linter = new DCLinter({
    rules: {
      'services-alphabetical-order': 0,
      'service-keys-order': 0,
      'require-quotes-in-ports': [1, { quoteType: 'double' }],
    },
    quiet: false,
    debug: false,
    exclude: [],
  });
  function complaintsOf(path: string): string[] {
    const results: { messages: { rule: string; message: string }[] }[] = linter.lintFiles([path], false);
    return results.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
  }

  test('is what the Compose Specification says, with nothing to complain of', () => {
    expect(complaintsOf(file)).toEqual([]);
  });

  test('would not pass with a key that Compose does not have', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'portal-compose-'));
    const path = join(directory, 'docker-compose.yml');
    await writeFile(path, text.replace('healthcheck:', 'helthcheck:'));
    expect(complaintsOf(path)).toEqual([expect.stringContaining('invalid-schema')]);
    await rm(directory, { recursive: true });
  });

  test('has the engines of the distributed host', () => {
    expect(services.map(([name]) => name)).toEqual([
      'postgres',
      'kafka',
      's3',
      'mongodb',
      'mailpit',
      'telemetry',
    ]);
  });

  test.each(services)('names the release of %s, how healthy it is and where its data is', (_, service) => {
    expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)*$/);
    expect(service.healthcheck?.test?.[0]).toBe('CMD');
    const [volume = ''] = service.volumes?.[0]?.split(':') ?? [];
    expect(compose.volumes).toHaveProperty(volume);
  });

  test.each(services)('opens %s to this machine alone', (_, { ports = [] }) => {
    expect(ports).not.toEqual([]);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  test('starts the same releases as the engines without Docker', () => {
    const versionIn = (file: string) =>
      /version = '([^']+)'/.exec(readFileSync(join(root, 'packages/testing/src/engines', file), 'utf8'))?.[1];
    expect(compose.services['kafka']?.image).toBe(`apache/kafka:${versionIn('kafka.ts')}`);
  });
});
