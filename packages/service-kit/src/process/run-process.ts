import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, topics } from '@portal/contracts';
import { createLogger, type Logger, systemClock } from '@portal/kernel';
import { createKafkaEventBus } from '@portal/messaging/kafka';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DemoMixedUp } from '../demo.ts';
import { type FrontOptions, openFront } from '../host/front.ts';
import { internalKeysOf } from '../host/internal-keys.ts';
import { readableLogs } from '../host/readable-logs.ts';
import { problemsWithoutDemo, readSettings } from '../host/settings.ts';
import type { Infrastructure } from '../service.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import { createHttpTransport } from '../transport/http-transport.ts';
import { kafkaConnectionOf, originsIn, type ProcessSettings, processSettings } from './settings.ts';

/** The engines that every service needs, available before the service starts. */
export interface ProcessHost<Settings>
  extends Pick<
    Infrastructure,
    'bus' | 'clock' | 'env' | 'internalKeys' | 'logger' | 'telemetry' | 'transport'
  > {
  readonly settings: Settings;
  originOf(service: string): string;
  /** Aborted when the process gets the order to stop. */
  readonly stopping: AbortSignal;
  /** Runs a step of the start that may have to wait; `/readyz` names it. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
}

export interface Started {
  readonly app: FastifyInstance;
  /** Runs once requests are answered. */
  begin?(): void;
  /** Runs after the last request. */
  stop(): Promise<void>;
}

/**
 * One service's process: reads its settings, listens, waits for its engines, starts, and ends cleanly on SIGTERM and
 * SIGINT: it says that it is not ready for `DRAIN_SECONDS`, lets requests end, then stops the service. Never returns.
 */
export async function runProcess<Shape extends z.ZodRawShape>(
  definition: {
    readonly name: ServiceName;
    readonly settings: Shape;
    /** What it asks of connections, if not only services open them. */
    readonly front?: (settings: z.output<z.ZodObject<Shape>>) => Pick<FrontOptions, 'connections' | 'secure'>;
  },
  start: (host: ProcessHost<ProcessSettings & z.output<z.ZodObject<Shape>>>) => Promise<Started>,
  check: (
    env: Infrastructure['env'],
    settings: ProcessSettings & z.output<z.ZodObject<Shape>>,
  ) => readonly string[] | Promise<readonly string[]> = () => [],
): Promise<never> {
  const { name } = definition;
  const schema = z.intersection(z.object(processSettings(name)), z.object(definition.settings));
  const { problems, settings } = readSettings(schema, process.env);
  if (problems) return fail(problems);
  const env = { ...process.env, DEMO: settings.DEMO ? '1' : '0' };
  const kafka = kafkaConnectionOf(settings);
  const wrong = [...problemsWithoutDemo(settings, env), ...kafka.problems, ...(await check(env, settings))];
  if (wrong.length > 0) return fail(wrong);

  const logger = createLogger({ level: settings.LOG_LEVEL }, await readableLogs());
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  const stops: (() => Promise<void>)[] = [];
  try {
    const front = await openFront({
      host: settings.HOST,
      port: settings.PORT,
      ...definition.front?.(settings),
    });
    stops.push(() => front.close());
    const telemetry = await startTelemetry({ service: name, env, logger });
    stops.push(() => telemetry.shutdown());
    const bus = createKafkaEventBus({
      ...kafka.connection,
      service: name,
      logger,
      topics: {
        partitions: settings.KAFKA_PARTITIONS,
        replicationFactor: settings.KAFKA_REPLICATION_FACTOR,
        minInsyncReplicas: settings.KAFKA_MIN_INSYNC_REPLICAS,
        retentionMs: settings.KAFKA_RETENTION_HOURS * 3_600_000,
      },
    });
    stops.push(() => bus.close());
    const originOf = originsIn(settings);
    const transport = createHttpTransport({ originOf });
    stops.push(() => transport.close());

    const started = await unlessAborted(stopping.signal, async () => {
      const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
        front.waitFor(what);
        return work();
      };
      await step('kafka', () => bus.ensureTopics(topics));
      return start({
        settings,
        env,
        logger,
        clock: systemClock(settings.CLOCK_OFFSET_MS),
        bus,
        transport,
        telemetry,
        internalKeys: internalKeysOf(name, settings.INTERNAL_KEYS, settings.INTERNAL_PUBLIC_KEYS),
        originOf,
        stopping: stopping.signal,
        step,
      });
    });
    stops.push(() => started.stop());
    front.serve(started.app);
    started.begin?.();
    logger.info({ port: settings.PORT }, `The service ${name} is ready`);

    await aborted(stopping.signal);
    front.retire();
    await sleep(settings.DRAIN_SECONDS * 1_000);
    await front.close();
    stops.shift();
  } catch (error) {
    if (!stopping.signal.aborted) {
      if (error instanceof DemoMixedUp) console.error(error.message);
      else logger.fatal({ err: error }, `The service ${name} could not start`);
      process.exitCode = 1;
    }
  }
  await end(stops, logger);
  process.exit();
}

async function end(stops: (() => Promise<void>)[], logger: Logger): Promise<void> {
  for (const stop of stops.reverse()) {
    await stop().catch((error: unknown) => logger.warn({ err: error }, 'Stopping failed'));
  }
}

/** @throws the signal's reason when it comes before the work is done, which then goes on unheeded */
async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const never = aborted(signal).then(() => {
    throw signal.reason;
  });
  return Promise.race([work(), never]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}
