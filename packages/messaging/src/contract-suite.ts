import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEvent, type EventDefinition, type OutgoingEvent } from './event.ts';
import type { EventBus } from './event-bus.ts';
import { createInbox } from './inbox.ts';
import { appendToOutbox } from './outbox.ts';
import { createRelay, type Relay } from './relay.ts';
import { inTransaction, type SqlExecutor } from './sql-executor.ts';
import { type Subscription, subscription } from './subscription.ts';

/** What an adapter's test brings. */
export interface EventBusHarness {
  /** A bus as one process has it. All of them carry the same events; a bus that is only one may be given each time. */
  connect(): Promise<EventBus>;
  /** The connection string of an empty database of its own with the messaging schema. */
  createDatabase(): Promise<string>;
  close(): Promise<void>;
}

interface Numbered {
  readonly n: number;
}

const logger = createLogger({ level: 'silent' });
const clock = systemClock();
const quickRetry = { firstMs: 5, longestMs: 40 };
const patience = { timeout: 15_000, interval: 20 };

let names = 0;
/** Topics and groups are new in every test: a broker remembers those of earlier runs. */
const unique = (name: string) => `${name}-${process.pid}-${Date.now().toString(36)}-${names++}`;

function numbered(topic: string, type = 'thing.counted'): EventDefinition<Numbered> {
  return {
    type,
    topic,
    data: {
      parse: (value) => {
        if (typeof value === 'object' && value && 'n' in value && typeof value.n === 'number') {
          return { n: value.n };
        }
        throw new Error('n must be a number');
      },
    },
  };
}

function make(definition: EventDefinition<Numbered>, subject: string, n: number): OutgoingEvent {
  return createEvent(definition, { subject, partnerId: 1, data: { n } }, { source: 'test', clock });
}

const numberOf = ({ data }: { readonly data: unknown }) => numbered('').data.parse(data).n;

/** The behaviour that every adapter of the bus owes, alone and together with outbox, relay and inbox. */
export function eventBusContract(adapter: string, createHarness: () => Promise<EventBusHarness>): void {
  describe(`event bus contract: ${adapter}`, { timeout: 30_000 }, () => {
    let harness: EventBusHarness;
    let cleanups: (() => Promise<unknown>)[];

    beforeEach(async () => {
      harness = await createHarness();
      cleanups = [];
    });

    afterEach(async () => {
      for (const cleanup of cleanups.reverse()) await cleanup();
      await harness.close();
    });

    async function connect(): Promise<EventBus> {
      const bus = await harness.connect();
      cleanups.push(() => bus.close());
      return bus;
    }

    async function database(): Promise<{ url: string; pool: Pool }> {
      const url = await harness.createDatabase();
      const pool = new Pool({ connectionString: url, max: 6 });
      cleanups.push(() => pool.end());
      return { url, pool };
    }

    async function relayOf(connectionString: string, bus: EventBus, batchSize = 200): Promise<Relay> {
      const relay = createRelay({ connectionString, bus, clock, logger, retry: quickRetry, batchSize });
      cleanups.push(() => relay.stop());
      relay.start();
      return relay;
    }

    /** A consuming service with a table of effects. */
    async function consumer(subscriptions: readonly Subscription[], bus: EventBus) {
      const { url, pool } = await database();
      await pool.query(
        'CREATE TABLE effect (id bigint GENERATED ALWAYS AS IDENTITY, handler text, subject text, n int)',
      );
      const inbox = createInbox({
        service: unique('service'),
        connectionString: url,
        subscriptions,
        runInTransaction: (work) => inTransaction(pool, work),
        clock,
        logger,
        pollMs: 20,
        retry: quickRetry,
      });
      cleanups.push(() => inbox.stop());
      await inbox.start(bus);
      const effects = async (handler: string, subject?: string): Promise<number[]> => {
        const { rows } = await pool.query<{ n: number }>(
          'SELECT n FROM effect WHERE handler = $1 AND ($2::text IS NULL OR subject = $2) ORDER BY id',
          [handler, subject],
        );
        return rows.map(({ n }) => n);
      };
      return { inbox, effects };
    }

    async function send(pool: Pool, ...events: readonly OutgoingEvent[]): Promise<void> {
      await inTransaction(pool, (tx) => appendToOutbox(tx, events));
    }

    test('when events are published, then every group has all of them, each key in order', async () => {
      const [topic, other] = [unique('topic'), unique('other')];
      const bus = await connect();
      const seen: Record<string, [string, number][]> = { a: [], b: [] };
      for (const group of ['a', 'b']) {
        await bus.subscribe({
          group: unique(group),
          topics: [topic, other],
          onBatch: async (envelopes) => {
            for (const envelope of envelopes) seen[group]?.push([envelope.subject, numberOf(envelope)]);
          },
        });
      }

      for (let n = 0; n < 30; n += 3) {
        const events = [n, n + 1, n + 2].map((number) => make(numbered(topic), `key-${number % 2}`, number));
        await bus.publish(topic, events);
      }
      await bus.publish(other, [make(numbered(other), 'other', 100)]);

      for (const group of ['a', 'b']) {
        await vi.waitFor(() => expect(seen[group]).toHaveLength(31), patience);
        for (const parity of [0, 1]) {
          const ofKey = seen[group]?.filter(([key]) => key === `key-${parity}`).map(([, n]) => n);
          expect(ofKey).toEqual(Array.from({ length: 15 }, (_, index) => index * 2 + parity));
        }
      }
    });

    test('when a group does not take a batch, then it comes again in order and no other group waits', async () => {
      const topic = unique('topic');
      const bus = await connect();
      const slow: number[] = [];
      const quick: number[] = [];
      let healed = false;
      let refusals = 0;
      await bus.subscribe({
        group: unique('slow'),
        topics: [topic],
        onBatch: async (envelopes) => {
          if (!healed) {
            refusals += 1;
            throw new Error('the database is away');
          }
          slow.push(...envelopes.map(numberOf));
        },
      });
      await bus.subscribe({
        group: unique('quick'),
        topics: [topic],
        onBatch: async (envelopes) => {
          quick.push(...envelopes.map(numberOf));
        },
      });

      const published = [1, 2, 3].map((n) => bus.publish(topic, [make(numbered(topic), 'key', n)]));
      await vi.waitFor(() => expect(quick).toEqual([1, 2, 3]), patience);
      await vi.waitFor(() => expect(refusals).toBeGreaterThan(1), patience);
      expect(slow).toEqual([]);

      healed = true;
      await Promise.all(published);
      await vi.waitFor(() => expect(slow).toEqual([1, 2, 3]), patience);
    });

    test('when an event is broadcast, then every instance has it, whatever another does', async () => {
      const topic = unique('topic');
      const [first, second] = [await connect(), await connect()];
      const seen: Record<string, number[]> = { first: [], second: [] };
      await first.broadcast({
        topics: [topic],
        onEvent: (envelope) => {
          seen['first']?.push(numberOf(envelope));
          throw new Error('this listener is broken');
        },
      });
      const listening = await second.broadcast({
        topics: [topic],
        onEvent: (envelope) => {
          seen['second']?.push(numberOf(envelope));
        },
      });

      await first.publish(
        topic,
        [1, 2].map((n) => make(numbered(topic), 'key', n)),
      );
      await vi.waitFor(() => expect(seen).toEqual({ first: [1, 2], second: [1, 2] }), patience);

      await listening.close();
      await first.publish(topic, [make(numbered(topic), 'key', 3)]);
      await vi.waitFor(() => expect(seen['first']).toEqual([1, 2, 3]), patience);
      expect(seen['second']).toEqual([1, 2]);
    });

    test('when a group has left, then it is still owed what is published meanwhile', async () => {
      const definition = numbered(unique('topic'));
      const bus = await connect();
      const { url, pool } = await database();
      const group = unique('group');
      const seen: number[] = [];
      const join = () =>
        bus.subscribe({
          group,
          topics: [definition.topic],
          onBatch: async (envelopes) => {
            seen.push(...envelopes.map(numberOf));
          },
        });
      const membership = await join();
      await relayOf(url, bus);
      await send(pool, make(definition, 'key', 1));
      await vi.waitFor(() => expect(seen).toEqual([1]), patience);

      // It waits for what comes next, and leaves at once nevertheless.
      await sleep(500);
      const begun = performance.now();
      await membership.close();
      expect(performance.now() - begun).toBeLessThan(2_000);
      await send(pool, make(definition, 'key', 2));
      await join();

      await vi.waitFor(() => expect(seen).toEqual([1, 2]), patience);
    });

    test('when publishing fails in the middle again and again, then effects happen once and in order', async () => {
      const definition = numbered(unique('topic'));
      const bus = await connect();
      const { url, pool } = await database();
      const { effects } = await consumer([effect('count', definition)], bus);
      let calls = 0;
      /** Loses a part of the messages, then says so, two times of three. */
      const flaky: EventBus = {
        ...bus,
        publish: async (topic, messages) => {
          calls += 1;
          if (calls % 3 === 0) return bus.publish(topic, messages);
          await bus.publish(topic, messages.slice(0, Math.ceil(messages.length / 2)));
          throw new Error('the broker went away in the middle');
        },
      };
      const relay = await relayOf(url, flaky, 7);

      for (let n = 0; n < 60; n += 4) {
        await send(
          pool,
          ...[n, n + 1, n + 2, n + 3].map((number) => make(definition, `key-${number % 3}`, number)),
        );
      }
      await relay.drain(15_000);

      await vi.waitFor(async () => expect(await effects('count')).toHaveLength(60), patience);
      for (const remainder of [0, 1, 2]) {
        expect(await effects('count', `key-${remainder}`)).toEqual(
          Array.from({ length: 20 }, (_, index) => index * 3 + remainder),
        );
      }
    });

    test('when a crash falls between publish and mark, then the event goes out again and takes effect once', async () => {
      const definition = numbered(unique('topic'));
      const bus = await connect();
      const { url, pool } = await database();
      const { effects, inbox } = await consumer([effect('count', definition)], bus);
      let crashed = false;
      const crashing: EventBus = {
        ...bus,
        publish: async (topic, messages) => {
          await bus.publish(topic, messages);
          crashed = true;
          // Never answers: the relay that asked is gone before it can mark.
          await new Promise(() => undefined);
        },
      };
      const first = createRelay({ connectionString: url, bus: crashing, clock, logger, stopWithinMs: 0 });
      first.start();
      await send(pool, make(definition, 'key', 1));
      await vi.waitFor(() => expect(crashed).toBe(true), patience);
      await first.stop();
      expect(await countOutbox(pool)).toBe(1);

      const second = await relayOf(url, bus);
      await send(pool, make(definition, 'key', 2));
      await second.drain(15_000);

      await vi.waitFor(async () => expect(await effects('count')).toEqual([1, 2]), patience);
      expect(await inbox.stats()).toEqual({ count: { live: 0, dead: 0, oldestAgeMs: 0 } });
    });

    test('when one handler fails, then the others and other keys go on, and its key waits for it', async () => {
      const created = numbered(unique('topic'), 'thing.created');
      const updated = { ...created, type: 'thing.updated' };
      const bus = await connect();
      const { url, pool } = await database();
      let broken = true;
      const stumbling = (definition: EventDefinition<Numbered>): Subscription => {
        const sound = effect('stumbling', definition);
        return {
          ...sound,
          handle: async (tx, events) => {
            await sound.handle(tx, events);
            if (broken && events.some(({ subject }) => subject === 'bad')) throw new Error('not yet');
          },
        };
      };
      const { effects } = await consumer(
        [stumbling(created), stumbling(updated), effect('sound', created), effect('sound', updated)],
        bus,
      );
      await relayOf(url, bus);

      await send(pool, make(created, 'bad', 1), make(updated, 'bad', 2), make(created, 'good', 3));

      await vi.waitFor(async () => expect((await effects('sound')).sort()).toEqual([1, 2, 3]), patience);
      await vi.waitFor(async () => expect(await effects('stumbling')).toEqual([3]), patience);
      broken = false;
      await vi.waitFor(async () => expect(await effects('stumbling', 'bad')).toEqual([1, 2]), patience);
    });

    test('when an event fails ten times, then it is a dead letter, its key goes on, and it can be replayed', async () => {
      const definition = numbered(unique('topic'));
      const bus = await connect();
      const { url, pool } = await database();
      let poisonous = true;
      let tries = 0;
      const sound = effect('count', definition);
      const { effects, inbox } = await consumer(
        [
          {
            ...sound,
            handle: async (tx, events) => {
              const isPoison = events.some((event) => numberOf(event) === 1);
              if (isPoison) tries += 1;
              if (isPoison && poisonous) throw new Error('this one is poison');
              await sound.handle(tx, events);
            },
          },
        ],
        bus,
      );
      await relayOf(url, bus);
      const poison = make(definition, 'key', 1);

      await send(pool, poison);
      // Before that both would be tried together once, which is no attempt.
      await vi.waitFor(() => expect(tries).toBeGreaterThan(0), patience);
      await send(pool, make(definition, 'key', 2));

      await vi.waitFor(async () => expect(await effects('count')).toEqual([2]), patience);
      expect(tries).toBe(10);
      const [letter, ...more] = await inbox.deadLetters.list();
      expect(more).toEqual([]);
      expect(letter).toMatchObject({ handler: 'count', event: poison.envelope, attempts: 10 });
      expect(letter?.error).toContain('this one is poison');
      expect(await inbox.stats()).toEqual({ count: { live: 0, dead: 1, oldestAgeMs: 0 } });

      poisonous = false;
      expect(await inbox.deadLetters.replay({ eventId: poison.envelope.id })).toBe(1);
      await vi.waitFor(async () => expect(await effects('count')).toEqual([2, 1]), patience);
      expect(await inbox.deadLetters.list()).toEqual([]);
    });

    test('when data does not fit the schema of the consumer, then it is a dead letter and has no effect', async () => {
      const definition = numbered(unique('topic'));
      const bus = await connect();
      const { effects, inbox } = await consumer([effect('count', definition)], bus);
      const good = make(definition, 'key', 1);
      const bad = { ...good, envelope: { ...make(definition, 'key', 0).envelope, data: { n: 'one' } } };

      await bus.publish(definition.topic, [bad, good]);

      await vi.waitFor(async () => expect(await effects('count')).toEqual([1]), patience);
      const [letter] = await inbox.deadLetters.list({ handler: 'count' });
      expect(letter?.error).toContain('n must be a number');
      expect(await inbox.deadLetters.replay({ handler: 'count' })).toBe(1);
    });
  });
}

/** A subscription whose effect is a row. */
function effect(handler: string, event: EventDefinition<Numbered>): Subscription {
  return subscription({
    handler,
    event,
    handle: async (tx: SqlExecutor, { subject, data }) => {
      await tx.$executeRawUnsafe(
        'INSERT INTO effect (handler, subject, n) VALUES ($1, $2, $3)',
        handler,
        subject,
        data.n,
      );
    },
  });
}

async function countOutbox(pool: Pool): Promise<number> {
  const { rows } = await pool.query('SELECT 1 FROM messaging.outbox');
  return rows.length;
}
