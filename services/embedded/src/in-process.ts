import { methods } from '@portal/contracts';
import type { Upstream } from '@portal/gateway-service';
import { AppError } from '@portal/kernel';
import type { PeerTransport, RunningService } from '@portal/service-kit';
import type { FastifyInstance } from 'fastify';

/** Connects services that share one process. A service is registered when it starts. */
export function createInProcessNetwork(): {
  add(service: RunningService): void;
  transport: PeerTransport;
  upstream: Upstream;
} {
  const apps = new Map<string, FastifyInstance>();

  const appOf = (service: string): FastifyInstance => {
    const app = apps.get(service);
    if (!app) throw new AppError('E50301');
    return app;
  };

  return {
    add: ({ name, app }) => apps.set(name, app),
    transport: {
      async request(service, { method, url, headers, body }) {
        const reply = await appOf(service).inject({
          method: methods.find((one) => one === method) ?? 'GET',
          url,
          headers,
          ...(body === undefined ? {} : { payload: body }),
        });
        return { status: reply.statusCode, body: reply.payload };
      },
    },
    upstream: {
      // The service's own router handles the connection; nothing is copied.
      forward: ({ service }, request, response) => appOf(service).routing(request, response),
    },
  };
}
