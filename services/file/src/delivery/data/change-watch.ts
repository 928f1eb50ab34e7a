import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';
import { Client } from 'pg';
import { changeChannel } from '../../files/data/changes.ts';

/** A stretch in which nothing changes for the players of a tenant, unless somebody writes. Times in milliseconds. */
export interface QuietPeriod {
  /** The number of the last change. */
  readonly change: number;
  /** The last time at which something came due. */
  readonly from: number;
  /** The next time at which something comes due; infinite where nothing is planned. */
  readonly until: number;
}

/**
 * Knows without a query whether an up-to-date player is still up to date. It forgets a tenant
 * when NOTIFY reports a change by any instance, and knows nothing while it cannot receive notifications.
 */
export interface ChangeWatch {
  /** Undefined: ask the database. */
  quietOf(partnerId: number): QuietPeriod | undefined;
  /** Call it before reading a `QuietPeriod`; what happens meanwhile makes `keep` forget what was read. */
  epochOf(partnerId: number): number;
  keep(partnerId: number, epoch: number, quiet: QuietPeriod): void;
  /** After a commit of this instance: the next request must see it. */
  forget(partnerId: number): void;
  start(): void;
  close(): Promise<void>;
}

const retryMs = 1_000;
const pingMs = 5_000;

export function createChangeWatch(options: { connectionString: string; logger: Logger }): ChangeWatch {
  const { connectionString, logger } = options;
  const known = new Map<number, QuietPeriod>();
  const forgotten = new Map<number, number>();
  const closing = new AbortController();
  let listening = false;
  let running: Promise<void> | undefined;
  let epochs = 0;
  /** Epochs before this one are of a connection that was lost. */
  let since = 0;

  function forget(partnerId: number): void {
    known.delete(partnerId);
    epochs += 1;
    forgotten.set(partnerId, epochs);
  }

  function deaf(): void {
    listening = false;
    known.clear();
    forgotten.clear();
    epochs += 1;
    since = epochs;
  }

  /** Listens on one connection until it breaks or the watch is closed. */
  async function listen(): Promise<void> {
    const client = new Client({
      connectionString,
      application_name: 'file changes',
      keepAlive: true,
      connectionTimeoutMillis: pingMs,
      query_timeout: pingMs,
    });
    const broken = new AbortController();
    client.on('error', () => broken.abort());
    client.on('end', () => broken.abort());
    client.on('notification', ({ payload }) => forget(Number(payload)));
    const over = AbortSignal.any([broken.signal, closing.signal]);
    try {
      await client.connect();
      await client.query(`LISTEN ${changeChannel}`);
      listening = true;
      // A query detects a connection that was cut silently.
      while (!over.aborted) {
        await sleep(pingMs, undefined, { signal: over, ref: false }).catch(() => undefined);
        if (!over.aborted) await client.query('SELECT 1');
      }
    } finally {
      deaf();
      await client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch((error: unknown) => logger.warn({ err: error }, 'Not told of changes'));
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    quietOf: (partnerId) => known.get(partnerId),
    epochOf: () => epochs,
    keep(partnerId, epoch, quiet) {
      if (listening && epoch >= since && epoch >= (forgotten.get(partnerId) ?? 0))
        known.set(partnerId, quiet);
    },
    forget,
    start() {
      running ??= run();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
