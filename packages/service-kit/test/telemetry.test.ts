import { spawnSync } from 'node:child_process';
import { createLogger } from '@portal/kernel';
import { expect, test } from 'vitest';
import { startTelemetry } from '../src/host/index.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const sampledByClient = `00-${traceId}-b7ad6b7169203331-01`;
const logger = createLogger({ level: 'silent' });

/** The flag with which a request of a client, traced by `service`, goes on. */
async function flagOf(service: string, env: Record<string, string>): Promise<string> {
  const telemetry = await startTelemetry({
    service,
    // No collector listens there, and spans that are not sampled are not sent.
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...env },
    logger,
  });
  const span = telemetry.of(service)?.tracer.start('work', { kind: 'server', parent: sampledByClient });
  expect(span?.traceparent).toContain(traceId);
  return span?.traceparent.slice(-2) ?? '';
}

test('When no collector is set, then nothing of OpenTelemetry is loaded', () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.startsWith('@opentelemetry/')) throw new Error(specifier + ' is loaded');
        return next(specifier, context);
      },
    });
    await import('@portal/service-kit');
    const { startTelemetry } = await import('@portal/service-kit/host');
    const telemetry = await startTelemetry({ service: 'file', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' } });
    console.log(telemetry.of('file'));
  `;
  const { stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: new URL('../../../services/gateway', import.meta.url),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('undefined');
});

test('When the gateway samples, then it decides whatever the client says, and services follow it', async () => {
  expect(await flagOf('gateway', {})).toBe('01');
  expect(await flagOf('gateway', { OTEL_TRACES_SAMPLER: 'always_off' })).toBe('00');
  const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  expect(await flagOf('gateway', none)).toBe('00');
  expect(await flagOf('file', none)).toBe('01');
});
