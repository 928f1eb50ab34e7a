import type { Meter } from '@opentelemetry/api';
import type { Tracer } from '@portal/kernel';

/** The telemetry of one service. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly meter: Meter;
}

/** The telemetry of one process, in which one service works or several. */
export interface TelemetrySource {
  /** What `service` tells goes out under its own name. Undefined while telemetry is off. */
  of(service: string): Telemetry | undefined;
  /** Sends the remaining data, for a few seconds at most. */
  shutdown(): Promise<void>;
}
