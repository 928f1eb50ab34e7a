import { inject } from 'vitest';
import type {} from './global-setup.ts';
import type { Product } from './product.ts';

/** What test files may use of a product that others use after them: it is not theirs to stop. */
export type SharedProduct = Pick<Product, 'dataDir' | 'port' | 'url'>;

/**
 * The product that the test files of this process share, one after the other. It is for files that add what is theirs to the
 * demo data, and leave alone what others begin with: its people with their passwords, their contracts, the settings of its companies.
 */
export async function sharedProduct(): Promise<SharedProduct> {
  const reply = await fetch(`${inject('sharedProducts')}/${process.pid}`);
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as SharedProduct;
}
