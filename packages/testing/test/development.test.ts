import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
}

const root = resolve(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docker-compose.dev.yml'), 'utf8');
const compose = parse(text) as { services: Record<string, Service>; volumes: Record<string, unknown> };
const services = Object.entries(compose.services);

describe('docker-compose.dev.yml', () => {
  test('is what the Compose Specification says', () => {
    // The linter's package holds the schema of the specification.
    const package_ = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
    const schema = JSON.parse(readFileSync(join(package_, 'schemas', 'compose.schema.json'), 'utf8'));
    const ajv = new Ajv({ strict: false });
    formats.default(ajv);
    // It has its own format, of durations such as `5s`.
    ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
    const isValid = ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
    expect(isValid(compose), ajv.errorsText(isValid.errors)).toBe(true);
    expect(isValid({ services: { kafka: { image: 1 } } })).toBe(false);
  });

  test('has the engines of the distributed host', () => {
    expect(services.map(([name]) => name)).toEqual([
      'postgres',
      'kafka',
      's3',
      'mongodb',
      'mail',
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
});
