import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enterScope, type Scope } from '@portal/database';
import type { Product } from '@portal/testing/product';
import pg from 'pg';

/** Connects to the database of a service with the role that the service itself has, in a scope. */
export async function connectAsService(
  product: Product,
  service: string,
  scope: Scope | 'none' = { kind: 'system', why: 'test' },
): Promise<pg.Client> {
  const pid = await readFile(join(product.dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  const secrets: { databases: Readonly<Record<string, { role: string }>> } = JSON.parse(
    await readFile(join(product.dataDir, 'secrets.json'), 'utf8'),
  );
  const name = `portal_${service}`;
  const password = encodeURIComponent(secrets.databases[service]?.role ?? '');
  const connectionString = `postgresql://${name}:${password}@127.0.0.1:${pid.split('\n')[3]}/${name}`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  if (scope !== 'none') await enterScope(client, connectionString, scope);
  return client;
}
