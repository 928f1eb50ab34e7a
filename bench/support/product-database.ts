import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Product } from '@portal/testing/product';
import pg from 'pg';

/** Runs `work` on a database of the product as the superuser, whom no row-level security holds. */
export async function withDatabase<T>(
  { dataDir }: Product,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const port = Number((await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
