import type { RouteContract } from '@portal/contracts';
import type { SpanOptions } from '@portal/kernel';

/** The span of a call to another service. */
export function callOf(contract: RouteContract): SpanOptions {
  return {
    kind: 'client',
    attributes: {
      'service.peer.name': contract.service,
      'http.request.method': contract.method,
      'url.template': contract.path,
    },
  };
}
