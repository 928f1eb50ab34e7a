import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  type DiagLogFunction,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { isTraceparent, type Logger, newId, type Span, type Tracer } from '@portal/kernel';
import { observeEventLoop } from './gauges.ts';
import type { Telemetry, TelemetrySource } from './telemetry.ts';

type Env = Readonly<Record<string, string | undefined>>;

const flushWithinMs = 5_000;
const scope = 'portal';

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/**
 * The only place that knows the SDK. Each service has providers of its own, so that its spans and figures carry its
 * name whether it shares the process or not; spans leave in common batches. The exporters read the standard settings
 * (`OTEL_EXPORTER_OTLP_*`) by themselves.
 */
export function startOpenTelemetry(options: { service: string; env: Env; logger: Logger }): TelemetrySource {
  const { env, logger } = options;
  const warn: DiagLogFunction = (message) => logger.warn({ telemetry: message }, 'Telemetry is not sent');
  const silent = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );

  const processAttributes = detectResources({ detectors: [envDetector] }).merge(
    resourceFromAttributes({ 'service.namespace': 'portal', 'service.instance.id': newId() }),
  );
  const spanProcessor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: millisecondsOf(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
  });
  const metricExporter = new OTLPMetricExporter();
  const metricIntervalMs = millisecondsOf(env.OTEL_METRIC_EXPORT_INTERVAL, 60_000);
  const meterProviders: MeterProvider[] = [];
  const known = new Map<string, Telemetry>();

  function start(service: string): Telemetry {
    const resource = processAttributes.merge(resourceFromAttributes({ 'service.name': service }));
    const meters = meterProviderOf(resource);
    meterProviders.push(meters);
    const traces = new TracerProvider({
      resource,
      sampler: samplerOf(service, env),
      spanProcessors: [spanProcessor],
    });
    return { tracer: tracerOf(traces), meter: meters.getMeter(scope) };
  }

  function meterProviderOf(resource: Resource): MeterProvider {
    return new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: metricExporter,
          exportIntervalMillis: metricIntervalMs,
          exportTimeoutMillis: Math.min(metricIntervalMs, 30_000),
        }),
      ],
    });
  }

  function of(service: string): Telemetry {
    const telemetry = known.get(service) ?? start(service);
    known.set(service, telemetry);
    return telemetry;
  }

  const endObserving = observeEventLoop(of(options.service).meter);

  return {
    of,
    async shutdown() {
      endObserving();
      const flushed = Promise.allSettled([
        spanProcessor.shutdown(),
        ...meterProviders.map((provider) => provider.shutdown()),
      ]);
      // A collector that is away must not keep the process.
      await Promise.race([flushed, sleep(flushWithinMs, undefined, { ref: false })]);
    },
  };
}

function millisecondsOf(setting: string | undefined, otherwise: number): number {
  const value = Number(setting);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}

/**
 * One decision for a whole trace, made by the gateway: what a client says of sampling counts for nothing there, and what
 * the gateway says counts behind it.
 */
function samplerOf(service: string, env: Env): Sampler {
  const root = rootSampler(env);
  const anew = service === 'gateway' ? { remoteParentSampled: root, remoteParentNotSampled: root } : {};
  return new ParentBasedSampler({ root, ...anew });
}

function rootSampler({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Env): Sampler {
  switch (OTEL_TRACES_SAMPLER?.replace('parentbased_', '')) {
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(Number(OTEL_TRACES_SAMPLER_ARG ?? 1));
    default:
      return new AlwaysOnSampler();
  }
}

function tracerOf(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer(scope);
  return {
    start(name, { kind, attributes, parent }): Span {
      // The parent of these came over a boundary; all others are of the same service.
      const isRemote = kind === 'server' || kind === 'consumer';
      const span = tracer.startSpan(
        name,
        { kind: spanKinds[kind], ...(attributes ? { attributes } : {}) },
        contextOf(parent, isRemote),
      );
      const { spanId, traceFlags, traceId } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        set: (more) => void span.setAttributes(more),
        end(errorType) {
          if (!span.isRecording()) return;
          if (errorType !== undefined) {
            span.setAttribute('error.type', errorType);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
  };
}

function contextOf(parent: string | undefined, isRemote: boolean): Context {
  if (!isTraceparent(parent)) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote,
  });
}
