import type { ServerResponse } from 'node:http';
import type { RequestContext } from '@portal/kernel';
import type { Telemetry } from './telemetry.ts';

interface ObservedRequest extends RequestContext {
  /** The name of the route's contract. */
  readonly operation: string;
  readonly method: string;
  /** With `:name` for parameters: the path itself may hold what is nobody's business. */
  readonly route: string;
  /** The answer is a stream of events, which takes as long as its reader stays. */
  readonly staysOpen: boolean;
  /** The code of the error that was answered, where it is known. */
  readonly failure?: () => string | undefined;
}

/** In seconds, as the semantic conventions advise. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Follows requests from their first line to the last byte of their answer: a span and one measurement each. A stream of events
 * that was opened is not measured: its time is no one's wait. It gives the context in which all work for the request is to run.
 */
export function createRequestObserver({ meter, tracer }: Telemetry) {
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of requests',
    unit: 's',
    advice: { explicitBucketBoundaries: durationBuckets },
  });

  return (response: ServerResponse, request: ObservedRequest): RequestContext => {
    const { failure, method, operation, requestId, route, staysOpen, traceparent } = request;
    const begun = performance.now();
    const known = { 'http.request.method': method, 'http.route': route };
    const span = tracer.start(operation, {
      kind: 'server',
      parent: traceparent,
      attributes: { ...known, 'portal.request_id': requestId },
    });
    let ended = false;

    function end(): void {
      if (ended) return;
      ended = true;
      const { statusCode, writableEnded } = response;
      const isStream = staysOpen && statusCode < 400;
      // Streams end when their readers leave.
      const errorType =
        writableEnded || isStream
          ? (failure?.() ?? (statusCode >= 500 ? String(statusCode) : undefined))
          : 'aborted';
      const outcome = {
        'http.response.status_code': statusCode,
        ...(errorType === undefined ? {} : { 'error.type': errorType }),
      };
      if (!isStream) duration.record((performance.now() - begun) / 1000, { ...known, ...outcome });
      span.set(outcome);
      // What a client did wrong is no failure of the server.
      span.end(statusCode >= 500 ? errorType : undefined);
    }

    response.once('finish', end);
    response.once('close', end);
    return { requestId, traceparent: span.traceparent, tracer };
  };
}
