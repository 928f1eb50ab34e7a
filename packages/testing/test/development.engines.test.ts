import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serviceNames } from '@portal/contracts';
import { originSetting } from '@portal/service-kit/host';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runTool } from '../src/engines/cache.ts';

const root = resolve(import.meta.dirname, '../../..');
const development = join(root, 'packages/testing/development');

const resource = z.object({
  name: z.string(),
  deps: z.array(z.string()).default([]),
  resource_deps: z.array(z.string()).default([]),
  serve_cmd: z.string().optional(),
  serve_dir: z.string().default('.'),
  serve_env: z.record(z.string(), z.string()).default({}),
  readiness_probe: z.object({ http_get: z.object({ port: z.number() }) }).optional(),
});
const printed = z.object({
  services: z.array(z.string()),
  calls: z.array(z.object({ function: z.string(), arguments: z.unknown() })),
});

/** With the parsers of Docker Compose and Tilt, which are Go's. */
describe('docker-compose.dev.yml and the Tiltfile', () => {
  let engines: string[];
  let named: string[];
  let resources: z.infer<typeof resource>[];

  beforeAll(async () => {
    const files = [join(root, 'docker-compose.dev.yml'), join(root, 'Tiltfile')];
    // What Go says of its downloads comes before the line of JSON.
    const output = await runTool('go', ['run', '.', ...files], { cwd: development });
    const { calls, services } = printed.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
    const argumentsOf = (name: string) =>
      calls.filter((call) => call.function === name).map((call) => call.arguments);
    engines = services;
    named = argumentsOf('dc_resource').map((value) => z.object({ name: z.string() }).parse(value).name);
    resources = argumentsOf('local_resource').map((value) => resource.parse(value));
  });

  test('are understood, and speak of the same engines', () => {
    expect([...named].sort()).toEqual([...engines].sort());
  });

  test('have every service, each on its own port, which the others are configured with', () => {
    const services = resources.filter(({ serve_cmd }) => serve_cmd?.startsWith('npm run start:service -- '));
    expect(services.map(({ name }) => name)).toEqual([...serviceNames]);
    for (const name of serviceNames) {
      const { readiness_probe, serve_cmd, serve_env } =
        services.find((service) => service.name === name) ?? resource.parse({ name });
      expect(serve_cmd).toBe(`npm run start:service -- ${name}`);
      expect(readiness_probe?.http_get.port).toBe(Number(serve_env['PORT']));
      for (const other of services)
        expect(other.serve_env[originSetting(name)]).toBe(`http://127.0.0.1:${serve_env['PORT']}`);
    }
    expect(new Set(services.map(({ serve_env }) => serve_env['PORT'])).size).toBe(services.length);
  });

  test('wait for and watch only what there is', () => {
    const names = [...engines, ...resources.map(({ name }) => name)];
    expect(new Set(names).size).toBe(names.length);
    for (const { deps, resource_deps, serve_dir } of resources) {
      for (const name of resource_deps) expect(names).toContain(name);
      for (const path of [...deps, serve_dir]) expect(existsSync(join(root, path)), path).toBe(true);
    }
  });
});
