import { join } from 'node:path';
import { findEmbeddedPostgres, withClient } from '@portal/database';
import type { Product } from '@portal/testing/product';
import type pg from 'pg';

/** Where a database of the product is, for its superuser, whom no row-level security holds. */
export async function superuserUrl({ dataDir }: Product, database: string): Promise<string> {
  const adminUrl = await findEmbeddedPostgres(join(dataDir, 'postgres'));
  if (adminUrl === undefined) throw new Error('The PostgreSQL of the product does not run');
  return new URL(`/${database}`, adminUrl).href;
}

/** Runs `work` on a database of the product as its superuser. */
export async function withDatabase<T>(
  product: Product,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(await superuserUrl(product, database), work);
}
