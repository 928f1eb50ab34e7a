import type { FastifyInstance } from 'fastify';

/** What the product needs to serve, by name; each resolves when it is there. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

const checkWithinMs = 2_000;

/** Liveness: this process answers. Readiness: everything that it needs does. */
export function serveHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  app.get('/readyz', async (_request, reply) => {
    const checks = Object.fromEntries(
      await Promise.all(
        Object.entries(readiness).map(async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'down']),
      ),
    );
    const ready = Object.values(checks).every((state) => state === 'ok');
    reply.header('cache-control', 'no-store').status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'down', checks };
  });
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, checkWithinMs, false);
  });
  const answer = check().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
