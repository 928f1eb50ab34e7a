import type { FastifyInstance } from 'fastify';

/** Parts of the product by name; each resolves when it is there. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

const checkWithinMs = 2_000;
/** Checks ask databases and other processes: a flood of questions is answered by what was found a moment ago. */
const keptForMs = 1_000;

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
  const statesOfSelf = kept(async () => statesOf(needs));
  const statesOfOthers = kept(async () => statesOf(others));
  const statesTold = kept(async () => statesOf(tells));

  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  app.get<{ Querystring: { only?: string } }>('/readyz', async (request, reply) => {
    const [own, more, told] = await Promise.all([
      statesOfSelf(),
      request.query.only === 'self' ? {} : statesOfOthers(),
      statesTold(),
    ]);
    const needed = { ...own, ...more };
    const ready = Object.values(needed).every((state) => state === 'ok');
    reply.header('cache-control', 'no-store').status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'down', checks: { ...needed, ...told } };
  });
}

type States = Readonly<Record<string, 'ok' | 'down'>>;

/** Asks once for all who ask at the same time and for a moment after the answer. */
function kept(ask: () => Promise<States>): () => Promise<States> {
  let answer: Promise<States> | undefined;
  return () => {
    answer ??= ask().finally(() => {
      setTimeout(() => {
        answer = undefined;
      }, keptForMs).unref();
    });
    return answer;
  };
}

async function statesOf(readiness: Readiness): Promise<States> {
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
