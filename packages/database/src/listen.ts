import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';
import { Client } from 'pg';

/** A connection that receives what `NOTIFY` sends to a channel, and connects again when it breaks. */
export interface Listener {
  start(): void;
  close(): Promise<void>;
}

const retryMs = 1_000;
const pingMs = 5_000;

/** Listens on a connection of its own. What is sent while it is not connected is lost: `onDeaf` and `onListening` tell of it. */
export function createListener(options: {
  readonly connectionString: string;
  readonly logger: Logger;
  /** What PostgreSQL shows of the connection. */
  readonly name: string;
  readonly channel: string;
  onNotification(payload: string): void;
  /** It hears everything from now on. */
  onListening?(): void;
  /** It hears nothing from now on. */
  onDeaf?(): void;
}): Listener {
  const { channel, connectionString, logger, name, onDeaf, onListening, onNotification } = options;
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  /** Listens on one connection until it breaks or the listener is closed. */
  async function listen(): Promise<void> {
    const client = new Client({
      connectionString,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: pingMs,
      query_timeout: pingMs,
    });
    const broken = new AbortController();
    client.on('error', () => broken.abort());
    client.on('end', () => broken.abort());
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    const over = AbortSignal.any([broken.signal, closing.signal]);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      onListening?.();
      // A query detects a connection that was cut silently.
      while (!over.aborted) {
        await sleep(pingMs, undefined, { signal: over, ref: false }).catch(() => undefined);
        if (!over.aborted) await client.query('SELECT 1');
      }
    } finally {
      onDeaf?.();
      await client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch((error: unknown) => logger.warn({ err: error, channel }, 'Not told of changes'));
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
