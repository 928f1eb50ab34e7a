import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';
import { Client } from 'pg';
import { changeChannel } from './changes.ts';

/** A stretch in which nothing changes for the players of a tenant, unless somebody writes. Times in milliseconds. */
export interface Quiet {
  /** The number of the last change. */
  readonly change: number;
  /** The last time at which something came due. */
  readonly from: number;
  /** The next time at which something comes due; infinite where nothing is planned. */
  readonly until: number;
}

/**
 * What this instance knows without asking the database: whether a player that is up to date still is. It forgets a tenant
 * when any instance changes it, told by NOTIFY, and knows nothing while it cannot hear.
 */
export interface ChangeWatch {
  /** Undefined: ask the database. */
  quietOf(partnerId: number): Quiet | undefined;
  /** Call it before reading a `Quiet`; what happens meanwhile makes `keep` forget what was read. */
  epochOf(partnerId: number): number;
  keep(partnerId: number, epoch: number, quiet: Quiet): void;
  /** After a commit of this instance: the next request must see it. */
  forget(partnerId: number): void;
  start(): void;
  close(): Promise<void>;
}

const retryMs = 1_000;
const pingMs = 5_000;

export function createChangeWatch(options: { connectionString: string; logger: Logger }): ChangeWatch {
  const { connectionString, logger } = options;
  const known = new Map<number, Quiet>();
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

  /** One connection's life: listens until it breaks or the watch is closed. */
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
      // A connection that is cut without a word is found out by asking.
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
