/** Text and numbers that every reader of traces may see: never secrets, personal data or parameters of SQL. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes?: SpanAttributes;
}

/** A piece of work as a trace shows it. */
export interface Span {
  /** Names this span as the cause of what is done in another place. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Ends it, as failed with an error of the kind `errorType`. Only the first call counts. */
  end(errorType?: string): void;
}

/** Records the spans of one service. Without telemetry there is no tracer. */
export interface Tracer {
  /** Begins a span under that of `parent`, a W3C traceparent; without one a trace begins. */
  start(name: string, options: SpanOptions & { readonly parent: string | undefined }): Span;
}

const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function isTraceparent(value: unknown): value is string {
  return typeof value === 'string' && traceparentPattern.test(value);
}
