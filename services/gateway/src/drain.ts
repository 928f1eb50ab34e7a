import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;
const drainWithinMs = 10_000;

/**
 * Lets requests in flight end when the gateway closes, then their connections, which would otherwise be kept alive for
 * the next request. A transfer that takes longer than ten seconds is cut; its client resumes it.
 */
export function drainOnClose(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const begun = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - begun > drainWithinMs) app.server.closeAllConnections();
      else app.server.closeIdleConnections();
    }, lookEveryMs);
    app.server.once('close', () => clearInterval(timer));
    done();
  });
}
