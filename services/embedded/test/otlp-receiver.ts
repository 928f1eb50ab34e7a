import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

/** A collector for tests: it takes OTLP over HTTP as JSON and keeps it. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The newest points of a metric, of every service. */
  points(metric: string): readonly ReceivedPoint[];
  close(): Promise<void>;
}

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface ReceivedPoint {
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of a histogram the count of its values. */
  readonly value: number;
  /** Of a histogram alone. */
  readonly sum: number | undefined;
}

const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.record(z.string(), z.unknown()).transform((value) => Object.values(value)[0]),
    }),
  )
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

const resource = z.object({ attributes });

const tracesSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource,
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});

const points = z.object({
  dataPoints: z.array(
    z.object({
      attributes,
      asInt: z.coerce.number().optional(),
      asDouble: z.number().optional(),
      count: z.coerce.number().optional(),
      sum: z.number().optional(),
    }),
  ),
});

const metricsSchema = z.object({
  resourceMetrics: z.array(
    z.object({
      resource,
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              gauge: points.optional(),
              sum: points.optional(),
              histogram: points.optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const newest = new Map<string, ReceivedPoint[]>();

  function takeSpans(body: unknown): void {
    for (const { resource, scopeSpans } of tracesSchema.parse(body).resourceSpans) {
      const service = String(resource.attributes['service.name']);
      for (const span of scopeSpans.flatMap((ofScope) => ofScope.spans)) {
        spans.push({ service, ...span, parentSpanId: span.parentSpanId || undefined });
      }
    }
  }

  function takeMetrics(body: unknown): void {
    for (const { resource, scopeMetrics } of metricsSchema.parse(body).resourceMetrics) {
      const service = String(resource.attributes['service.name']);
      for (const { name, ...kinds } of scopeMetrics.flatMap(({ metrics }) => metrics)) {
        const found = (kinds.gauge ?? kinds.sum ?? kinds.histogram)?.dataPoints ?? [];
        const others = (newest.get(name) ?? []).filter((point) => point.service !== service);
        newest.set(name, [
          ...others,
          ...found.map(({ asDouble, asInt, attributes, count, sum }) => ({
            service,
            attributes,
            value: asDouble ?? asInt ?? count ?? Number.NaN,
            sum,
          })),
        ]);
      }
    }
  }

  async function take(request: IncomingMessage): Promise<void> {
    const body = await json(request);
    if (request.url === '/v1/traces') takeSpans(body);
    else if (request.url === '/v1/metrics') takeMetrics(body);
    else throw new Error(`Nothing is sent to ${request.url}`);
  }

  const server = createServer((request, response) => {
    take(request).then(
      () => response.setHeader('content-type', 'application/json').end('{}'),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    points: (metric) => newest.get(metric) ?? [],
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
