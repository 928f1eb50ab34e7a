import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, services, servicesWithDatabase, tokenAuthority } from '@portal/contracts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../src/project.ts';

/** What names the services beside the registry in the contracts, because it is no TypeScript, says the same. */

const chart = join(root, 'helm', 'portal');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

const ownValues = z.object({
  calls: z.array(z.string()),
  needs: z.array(z.string()),
  secretSettings: z.array(z.string()),
});

test.each(serviceNames)(
  '%s has a folder, and values in the chart that say what the registry says',
  (name) => {
    expect(existsSync(join(root, 'services', name, 'src', 'main.ts'))).toBe(true);
    const { calls, needs, secretSettings } = ownValues.parse(
      parse(read(chart, 'charts', 'service', 'services', `${name}.yaml`)),
    );
    const { asks, engines, secrets } = services[name];
    const forTokens = name === tokenAuthority ? [] : [tokenAuthority];
    expect(new Set(calls)).toEqual(new Set([...asks, ...forTokens]));
    expect(new Set(needs)).toEqual(new Set(['kafka', ...engines]));
    expect(new Set(secretSettings)).toEqual(
      new Set([
        'INTERNAL_KEYS',
        'INTERNAL_PUBLIC_KEYS',
        ...secrets,
        ...(engines.includes('database') ? ['DATABASE_PASSWORD'] : []),
        ...(engines.includes('storage') ? ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] : []),
        ...(engines.includes('mail') ? ['MAIL_URL'] : []),
        ...(engines.includes('documents') ? ['MONGODB_URL'] : []),
      ]),
    );
  },
);

test('The Tiltfile lists them in the order of their ports', () => {
  const list = /^services = \[([^\]]*)\]/m.exec(read(root, 'Tiltfile'))?.[1] ?? '';
  expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...serviceNames]);
  expect(serviceNames.map((name) => services[name].port)).toEqual(
    serviceNames.map((_, index) => 8080 + index),
  );
});

test('Those with a database have a schema and migrations', () => {
  const withSchema = serviceNames.filter((name) =>
    existsSync(join(root, 'services', name, 'prisma', 'schema.prisma')),
  );
  expect(withSchema).toEqual(servicesWithDatabase);
});
