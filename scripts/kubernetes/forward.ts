import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Opens `port` of this machine to an address of the cluster: browsers keep some of their abilities for https and localhost,
 * and here is no ingress controller. Each connection becomes one.
 */
export async function forward(port: number, to: { host: string; port: number }): Promise<() => void> {
  const server = createServer((near) => {
    const far = connect(to);
    near.setNoDelay(true);
    far.setNoDelay(true);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => void server.close();
}
