import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Product, startProduct } from './product.ts';

/**
 * Starts a product for each process that runs test files, when one of these asks for it. They belong to the process of the whole
 * run, which outlives those.
 */
export async function serveSharedProducts(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const products = new Map<string, Promise<Product>>();
  const server = createServer((request, response) => {
    const of = request.url ?? '';
    const product = products.get(of) ?? startProduct();
    products.set(of, product);
    product.then(
      ({ dataDir, port, url }) => response.end(JSON.stringify({ dataDir, port, url })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      for (const started of await Promise.allSettled(products.values()))
        if (started.status === 'fulfilled') await started.value.remove();
    },
  };
}
