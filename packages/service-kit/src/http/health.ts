import type { FastifyInstance } from 'fastify';

/** Parts of the product by name; each resolves when it is there. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

const checkWithinMs = 2_000;

/**
 * Liveness: this process answers. Readiness: everything that it `needs` does; what it merely `tells` of is named with it,
 * for people, and keeps nobody from being served. `/readyz?only=self` leaves `others` out: an orchestrator that asks each
 * process for itself must not take one away because another is.
 */
export function serveHealth(
  app: FastifyInstance,
  options: { needs?: Readiness; others?: Readiness; tells?: Readiness },
): void {
  const { needs = {}, others = {}, tells = {} } = options;

  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  app.get<{ Querystring: { only?: string } }>('/readyz', async (request, reply) => {
    const wanted = request.query.only === 'self' ? needs : { ...needs, ...others };
    const [needed, told] = await Promise.all([statesOf(wanted), statesOf(tells)]);
    const ready = Object.values(needed).every((state) => state === 'ok');
    reply.header('cache-control', 'no-store').status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'down', checks: { ...needed, ...told } };
  });
}

async function statesOf(readiness: Readiness): Promise<Readonly<Record<string, 'ok' | 'down'>>> {
  const states = Object.entries(readiness).map(
    async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'down'] as const,
  );
  return Object.fromEntries(await Promise.all(states));
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
