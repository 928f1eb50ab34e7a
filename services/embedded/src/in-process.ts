import type { Upstream } from '@portal/gateway-service';
import { AppError } from '@portal/kernel';
import type { PeerTransport, RunningService } from '@portal/service-kit';
import type { FastifyInstance } from 'fastify';

/** Connects services that live in one process. They are added as they start; until then nobody answers for them. */
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
          method:
            method === 'POST' ? 'POST' : method === 'PUT' ? 'PUT' : method === 'DELETE' ? 'DELETE' : 'GET',
          url,
          headers,
          ...(body === undefined ? {} : { payload: body }),
        });
        return { status: reply.statusCode, body: reply.payload };
      },
    },
    upstream: {
      // The service's own router takes the connection over: nothing is copied on the way.
      forward: (service, request, response) => appOf(service).routing(request, response),
    },
  };
}
