import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Product } from '@portal/testing/product';
import pg from 'pg';

/** Connects to the database of a service with the role that the service itself has. */
export async function connectAsService(product: Product, service: string): Promise<pg.Client> {
  const pid = await readFile(join(product.dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  const secrets: { databasePassword: string } = JSON.parse(
    await readFile(join(product.dataDir, 'secrets.json'), 'utf8'),
  );
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(pid.split('\n')[3]),
    user: `portal_${service}`,
    password: secrets.databasePassword,
    database: `portal_${service}`,
  });
  await client.connect();
  return client;
}
