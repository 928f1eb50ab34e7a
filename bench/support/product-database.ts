import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Product } from '@portal/testing/product';
import pg from 'pg';

/** Where a database of the product is, for its superuser, whom no row-level security holds. */
export async function superuserUrl({ dataDir }: Product, database: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const port = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** Runs `work` on a database of the product as its superuser. */
export async function withDatabase<T>(
  product: Product,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: await superuserUrl(product, database) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
