import type { Logger } from '@portal/kernel';
import type { TelemetrySource } from './telemetry.ts';

const off: TelemetrySource = { of: () => undefined, shutdown: async () => undefined };

/**
 * Sends traces and metrics to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`. Without that setting nothing of
 * OpenTelemetry is even loaded. `service` names the process: what is measured of it as a whole goes out under that name.
 */
export async function startTelemetry(options: {
  service: string;
  env: Readonly<Record<string, string | undefined>>;
  logger: Logger;
}): Promise<TelemetrySource> {
  if (!options.env.OTEL_EXPORTER_OTLP_ENDPOINT) return off;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry(options);
}
