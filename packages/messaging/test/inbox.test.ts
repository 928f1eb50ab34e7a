import { createLogger, manualClock, systemClock } from '@portal/kernel';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createEvent,
  createInbox,
  createInProcessEventBus,
  type EventBus,
  type EventEnvelope,
  type Inbox,
  type InboxOptions,
  inTransaction,
  type SqlExecutor,
  subscription,
  subscriptionToMany,
} from '../src/index.ts';
import { changed } from './changes.ts';
import { startPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 30_000 });
const logger = createLogger({ level: 'silent' });
const clock = systemClock();
const patience = { timeout: 15_000, interval: 20 };
let postgres: ReturnType<typeof startPostgres>;
let url: string;
let pool: Pool;
let inboxes: Inbox[];

beforeAll(() => {
  postgres = startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

beforeEach(async () => {
  url = await postgres.createDatabase();
  pool = new Pool({ connectionString: url, max: 12 });
  await pool.query('CREATE TABLE effect (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int)');
  inboxes = [];
});
afterEach(async () => {
  await Promise.all(inboxes.map((inbox) => inbox.stop()));
  await pool.end();
});

const note = subscription({
  handler: 'note',
  event: changed,
  handle: async (tx: SqlExecutor, { subject, data }) => {
    await tx.$executeRawUnsafe('INSERT INTO effect (subject, n) VALUES ($1, $2)', subject, data.n);
  },
});

async function startInbox(options: Partial<InboxOptions<SqlExecutor>> = {}) {
  const bus = createInProcessEventBus({ logger });
  const inbox = createInbox({
    service: 'consumer',
    connectionString: url,
    subscriptions: [note],
    runInTransaction: (work) => inTransaction(pool, work),
    clock,
    logger,
    pollMs: 20,
    ...options,
  });
  inboxes.push(inbox);
  await inbox.start(bus);
  return { bus, inbox };
}

function send(bus: EventBus, subject: string, ...numbers: readonly number[]) {
  return bus.publish(
    changed.topic,
    numbers.map((n) =>
      createEvent(changed, { subject, partnerId: 1, data: { n } }, { source: 'producer', clock }),
    ),
  );
}

async function effects(subject: string): Promise<number[]> {
  const { rows } = await pool.query<{ n: number }>('SELECT n FROM effect WHERE subject = $1 ORDER BY id', [
    subject,
  ]);
  return rows.map(({ n }) => n);
}

test('when the wait of an event that failed is over, then it comes again without a look in between', async () => {
  let tries = 0;
  const { bus } = await startInbox({
    pollMs: 600_000,
    retry: { firstMs: 20, longestMs: 20 },
    subscriptions: [
      {
        ...note,
        handle: async () => {
          tries += 1;
          if (tries < 4) throw new Error('not yet');
        },
      },
    ],
  });
  await send(bus, 'a', 1);
  await vi.waitFor(() => expect(tries).toBe(4), patience);
});

describe('When very many events have come at once', () => {
  const many = 20_000;
  const received = async () =>
    pool.query(
      `INSERT INTO messaging.inbox (handler, event_id, key, envelope, available_at)
       SELECT 'note', gen_random_uuid(), n::text, '{}', now() FROM generate_series(1, $1::integer) n`,
      [many],
    );

  /** Blocks that a query goes through, of tables and indexes, those of the functions that it calls among them. */
  async function blocksOf(query: string): Promise<number> {
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }

  const due = `SELECT * FROM messaging.due_events(now(), ARRAY['note', 'other'], '{}', 32, 32)`;
  const last = `SELECT messaging.stands_first('note', '${many}', 9223372036854775807, '{}') AS answer`;

  const states = {
    'none was there when the database last looked': ['ANALYZE messaging.inbox', received],
    'the database has never looked': [received],
    'the database has looked since': [received, 'ANALYZE messaging.inbox'],
  };
  test.for(Object.entries(states))(
    'then the next are found without all of them, where %s',
    async ([, steps]) => {
      // Over as quickly as they come: what is left are a few that are done.
      await pool.query(
        `INSERT INTO messaging.inbox (handler, event_id, key, envelope, available_at, status, settled_at)
       SELECT 'note', gen_random_uuid(), n::text, '{}', now(), 'done', now() FROM generate_series(1, 300) n`,
      );
      for (const step of steps) await (typeof step === 'string' ? pool.query(step) : step());

      const found = await pool.query(due);
      expect(found.rows).toHaveLength(32);
      expect(await blocksOf(due)).toBeLessThan(1_000);
      expect((await pool.query(last)).rows).toEqual([{ answer: false }]);
      expect(await blocksOf(last)).toBeLessThan(100);
    },
  );

  /** Stores events of the key `key`, `ms` milliseconds after which they are due. */
  const stored = async (key: string, count: number, ms = 0) =>
    pool.query(
      `INSERT INTO messaging.inbox (handler, event_id, key, envelope, available_at)
       SELECT 'note', gen_random_uuid(), $1, '{}', now() + $2 * interval '1 ms' FROM generate_series(1, $3::integer)`,
      [key, ms, count],
    );

  test('then those of one key are not looked at one by one', async () => {
    await stored('hot', many);
    await stored('other', 1);
    const { rows } = await pool.query<{ seq: string }>(due);
    const seqs = rows.map(({ seq }) => Number(seq));
    // The first of each key before the second of one.
    expect(seqs.slice(0, 3)).toEqual([1, many + 1, 2]);
    expect(seqs).toHaveLength(32);
    expect(await blocksOf(due)).toBeLessThan(1_000);
  });

  test('then many behind one that has failed hold up none of the other keys, and stay behind it', async () => {
    await stored('failed', 1, 600_000);
    await stored('failed', many);
    for (const key of ['a', 'b', 'a']) await stored(key, 1);
    const { rows } = await pool.query<{ seq: string }>(due);
    expect(rows.map(({ seq }) => Number(seq) - many - 1)).toEqual([1, 2, 3]);
    expect(await blocksOf(due)).toBeLessThan(1_000);
  });

  test('then very many keys that have failed hide none that has not', async () => {
    await received();
    await pool.query(`UPDATE messaging.inbox SET available_at = now() + interval '10 minutes'`);
    const keys = ['0', '5', '99999', 'z'];
    for (const key of keys) await stored(key, 2);
    const { rows } = await pool.query<{ seq: string }>(due);
    // Of '5' one has failed.
    expect(rows.map(({ seq }) => Number(seq) - many)).toEqual([1, 5, 7, 2, 6, 8]);
  });

  test('then what is in hand, and what is behind it, is not found again', async () => {
    await stored('hot', many);
    await stored('other', 2);
    const inHand = `SELECT * FROM messaging.due_events(now(), ARRAY['note'], ARRAY[1, ${many + 1}]::bigint[], 32, 32)`;
    expect((await pool.query(inHand)).rows).toEqual([]);
  });
});

test('when one handler has a long backlog, then the one event of another does not stand behind it', async () => {
  let handled = 0;
  const backlog = 4_000;
  const slow = subscriptionToMany({
    handler: 'slow',
    event: changed,
    handle: async (_tx: SqlExecutor, events) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      handled += events.length;
    },
  });
  const quick = { ...note, handler: 'quick', event: { ...changed, type: 'thing.forgotten' } };
  const { bus } = await startInbox({ subscriptions: [slow, quick] });
  await bus.publish(
    changed.topic,
    Array.from({ length: backlog }, (_, n) =>
      createEvent(changed, { subject: `${n}`, partnerId: 1, data: { n } }, { source: 'producer', clock }),
    ),
  );
  await bus.publish(changed.topic, [
    createEvent(
      quick.event,
      { subject: 'quick', partnerId: 1, data: { n: 1 } },
      { source: 'producer', clock },
    ),
  ]);
  await vi.waitFor(async () => expect(await effects('quick')).toEqual([1]), patience);
  expect(handled).toBeLessThan(backlog / 2);
  await vi.waitFor(() => expect(handled).toBe(backlog), patience);
});

test('when several instances work on one inbox, then each event takes effect once and each key in order', async () => {
  const instances = [await startInbox(), await startInbox(), await startInbox()];
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  for (const n of numbers) {
    const { bus } = instances[n % 3] ?? (await startInbox());
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => send(bus, key, n)));
  }
  await vi.waitFor(
    async () => expect((await pool.query('SELECT 1 FROM effect')).rows).toHaveLength(200),
    patience,
  );
  for (const key of ['a', 'b', 'c', 'd', 'e']) expect(await effects(key)).toEqual(numbers);
});

describe.each(['an event at a time', 'many events in one call'])(
  'When what is due is handled together, %s',
  (way) => {
    /** The transactions that effects were had in, each as often as events were. */
    let transactions: string[];
    let calls: number;
    let poison: number | undefined;
    const addAll = async (tx: SqlExecutor, events: readonly EventEnvelope<{ n: number }>[]) => {
      calls += 1;
      for (const { data, subject } of events) {
        await tx.$executeRawUnsafe('INSERT INTO effect (subject, n) VALUES ($1, $2)', subject, data.n);
        const [row] = await tx.$queryRawUnsafe<{ id: string }[]>('SELECT pg_current_xact_id()::text AS id');
        if (data.n === poison) throw new Error('this one is poison');
        transactions.push(row?.id ?? '');
      }
    };
    const together =
      way === 'an event at a time'
        ? subscription({ handler: 'note', event: changed, handle: async (tx, event) => addAll(tx, [event]) })
        : subscriptionToMany({ handler: 'note', event: changed, handle: addAll });
    beforeEach(() => {
      transactions = [];
      calls = 0;
      poison = undefined;
    });
    const effectCount = async () => (await pool.query('SELECT 1 FROM effect')).rows.length;

    test('then many events of many keys share a transaction, each key in order', async () => {
      const { bus } = await startInbox({ subscriptions: [together] });
      const numbers = [1, 2, 3];
      await Promise.all(['a', 'b', 'c', 'd'].map((key) => send(bus, key, ...numbers)));
      await vi.waitFor(async () => expect(await effectCount()).toBe(12), patience);
      for (const key of ['a', 'b', 'c', 'd']) expect(await effects(key)).toEqual(numbers);
      expect(new Set(transactions).size).toBeLessThan(12);
      if (way === 'an event at a time') expect(calls).toBe(12);
      else expect(calls).toBeLessThan(12);
    });

    test('then many events of one key share a transaction, in order', async () => {
      const { bus } = await startInbox({ subscriptions: [together] });
      const numbers = Array.from({ length: 20 }, (_, n) => n);
      await send(bus, 'a', ...numbers);
      await vi.waitFor(async () => expect(await effects('a')).toEqual(numbers), patience);
      expect(new Set(transactions).size).toBeLessThan(20);
    });

    test('then one of a single key that fails leaves those before it, and holds up those behind it', async () => {
      poison = 2;
      const { bus } = await startInbox({ subscriptions: [together], retry: { firstMs: 10, longestMs: 10 } });
      await send(bus, 'bad', 1, 2, 3);
      await vi.waitFor(async () => expect(await effects('bad')).toEqual([1]), patience);
      poison = undefined;
      await vi.waitFor(async () => expect(await effects('bad')).toEqual([1, 2, 3]), patience);
      expect(await effectCount()).toBe(3);
    });

    test('then one that fails holds up its own key alone, and nothing takes effect twice', async () => {
      poison = 2;
      const { bus } = await startInbox({ subscriptions: [together], retry: { firstMs: 10, longestMs: 10 } });
      await Promise.all([send(bus, 'bad', 1, 2, 3), send(bus, 'good', 4, 5)]);
      await vi.waitFor(async () => expect(await effects('good')).toEqual([4, 5]), patience);
      await vi.waitFor(async () => expect(await effects('bad')).toEqual([1]), patience);
      poison = undefined;
      await vi.waitFor(async () => expect(await effects('bad')).toEqual([1, 2, 3]), patience);
      expect(await effectCount()).toBe(5);
    });

    test('then several instances share the work, each event once and each key in order', async () => {
      const instances = [
        await startInbox({ subscriptions: [together] }),
        await startInbox({ subscriptions: [together] }),
      ];
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      for (const n of numbers) {
        const { bus } = instances[n % 2] ?? (await startInbox());
        await Promise.all(['a', 'b', 'c'].map((key) => send(bus, key, n)));
      }
      await vi.waitFor(async () => expect(await effectCount()).toBe(120), patience);
      for (const key of ['a', 'b', 'c']) expect(await effects(key)).toEqual(numbers);
    });
  },
);

describe('When the effect of events knows repeats', () => {
  let calls: number[];
  let poison: number | undefined;
  const keeps = subscriptionToMany({
    handler: 'note',
    event: changed,
    knowsRepeats: true,
    handle: async (tx: SqlExecutor, events) => {
      calls.push(events.length);
      for (const { data, id, subject } of events) {
        await tx.$executeRawUnsafe(
          'INSERT INTO effect (subject, n, event_id) VALUES ($1, $2, $3::uuid) ON CONFLICT DO NOTHING',
          ...[subject, data.n, id],
        );
        if (data.n === poison) throw new Error('this one is poison');
      }
    },
  });
  beforeEach(async () => {
    calls = [];
    poison = undefined;
    await pool.query('ALTER TABLE effect ADD COLUMN event_id uuid UNIQUE');
  });
  const removed = { ...changed, type: 'thing.removed' };
  const stored = async () =>
    (await pool.query<{ status: string }>('SELECT status FROM messaging.inbox ORDER BY seq')).rows.map(
      ({ status }) => status,
    );

  test('then they are handled together as they come, and the inbox stores none', async () => {
    const { bus } = await startInbox({ subscriptions: [keeps] });
    const events = [1, 2, 3].map((n) =>
      createEvent(changed, { subject: 'a', partnerId: 1, data: { n } }, { source: 'producer', clock }),
    );
    await bus.publish(changed.topic, events);
    expect(await effects('a')).toEqual([1, 2, 3]);
    await bus.publish(changed.topic, events);
    expect(await effects('a')).toEqual([1, 2, 3]);
    expect(calls).toEqual([3, 3]);
    expect(await stored()).toEqual([]);
  });

  test('then those that fail are stored and come again, and later ones of their key behind them', async () => {
    poison = 2;
    const { bus } = await startInbox({ subscriptions: [keeps], retry: { firstMs: 10, longestMs: 10 } });
    await bus.publish(
      changed.topic,
      [1, 2].map((n) =>
        createEvent(changed, { subject: 'bad', partnerId: 1, data: { n } }, { source: 'producer', clock }),
      ),
    );
    await send(bus, 'bad', 3);
    await send(bus, 'good', 4);
    await vi.waitFor(async () => expect(await effects('good')).toEqual([4]), patience);
    expect(await effects('bad')).toEqual([1]);
    poison = undefined;
    await vi.waitFor(async () => expect(await effects('bad')).toEqual([1, 2, 3]), patience);
    await vi.waitFor(async () => expect(await stored()).toEqual(['done', 'done', 'done', 'done']), patience);
    await send(bus, 'bad', 5);
    expect(await effects('bad')).toEqual([1, 2, 3, 5]);
    expect(await stored()).toHaveLength(4);
  });

  test('then those that come together with others of the handler are stored, all in order', async () => {
    const { bus } = await startInbox({ subscriptions: [keeps, { ...note, event: removed }] });
    const eventOf = (event: typeof changed, n: number) =>
      createEvent(event, { subject: 'a', partnerId: 1, data: { n } }, { source: 'producer', clock });
    await bus.publish(changed.topic, [eventOf(changed, 1), eventOf(removed, 2), eventOf(changed, 3)]);
    await vi.waitFor(async () => expect(await effects('a')).toEqual([1, 2, 3]), patience);
    await vi.waitFor(async () => expect(await stored()).toEqual(['done', 'done', 'done']), patience);
    await bus.publish(changed.topic, [eventOf(changed, 4)]);
    expect(await effects('a')).toEqual([1, 2, 3, 4]);
    expect(await stored()).toHaveLength(3);
  });

  test('then those that would wait for a lock are stored, and what comes after them waits for nothing', async () => {
    const { bus } = await startInbox({
      subscriptions: [
        {
          ...keeps,
          handle: async (tx, events) => {
            await tx.$executeRawUnsafe(`UPDATE effect SET n = n + 1 WHERE subject = 'held'`);
            await keeps.handle(tx, events);
          },
        },
        { ...note, event: removed, handler: 'other' },
      ],
    });
    await pool.query(`INSERT INTO effect (subject, n) VALUES ('held', 0)`);
    const holder = await pool.connect();
    try {
      await holder.query(`BEGIN; UPDATE effect SET n = 0 WHERE subject = 'held'`);
      await send(bus, 'a', 1);
      await bus.publish(changed.topic, [
        createEvent(removed, { subject: 'b', partnerId: 1, data: { n: 2 } }, { source: 'producer', clock }),
      ]);
      await vi.waitFor(async () => expect(await effects('b')).toEqual([2]), patience);
      expect(await effects('a')).toEqual([]);
      expect(await stored()).toContain('live');
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await vi.waitFor(async () => expect(await effects('a')).toEqual([1]), patience);
    expect(await effects('held')).toEqual([1]);
  });

  test('then one that never succeeds becomes a dead letter', async () => {
    poison = 1;
    const { bus, inbox } = await startInbox({ subscriptions: [keeps], maxAttempts: 1 });
    await send(bus, 'bad', 1, 2);
    await vi.waitFor(async () => expect(await effects('bad')).toEqual([2]), patience);
    expect(await inbox.stats()).toEqual({ note: { live: 0, dead: 1, oldestAgeMs: 0 } });
  });
});

test('when handlers differ, then they are worked on at once', async () => {
  let running = 0;
  let most = 0;
  const slow = (handler: string) => ({
    ...note,
    handler,
    handle: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 50));
      running -= 1;
    },
  });
  const { bus } = await startInbox({ subscriptions: ['a', 'b', 'c', 'd', 'e', 'f'].map(slow) });
  await send(bus, 'a', 1, 2);
  await vi.waitFor(async () => {
    const { rows } = await pool.query(`SELECT 1 FROM messaging.inbox WHERE status = 'live'`);
    expect(rows).toEqual([]);
  }, patience);
  expect(most).toBe(4);
});

test('when large events come together, then a statement stores no more than it can take, all in order', async () => {
  await pool.query(
    `CREATE TABLE stored (events int, bytes bigint);
     CREATE FUNCTION note_stored() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO stored SELECT count(*), sum(octet_length(envelope::text)) FROM added;
       RETURN NULL;
     END $$;
     CREATE TRIGGER note_stored AFTER INSERT ON messaging.inbox REFERENCING NEW TABLE AS added
       FOR EACH STATEMENT EXECUTE FUNCTION note_stored()`,
  );
  const other = { ...note, handler: 'other' };
  const { bus } = await startInbox({ subscriptions: [note, other] });
  const text = 'x'.repeat(800_000);
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  await bus.publish(
    changed.topic,
    numbers.map((n) => {
      const event = { subject: 'a', partnerId: 1, data: { n } };
      const made = createEvent(changed, event, { source: 'producer', clock });
      return { ...made, envelope: { ...made.envelope, data: { n, text } } };
    }),
  );
  const { rows } = await pool.query<{ events: number; bytes: string }>('SELECT * FROM stored');
  expect(rows.reduce((sum, { events }) => sum + events, 0)).toBe(40);
  expect(Math.max(...rows.map(({ bytes }) => Number(bytes)))).toBeLessThan(5_000_000);
  expect(rows.length).toBeLessThan(15);
  await vi.waitFor(async () => expect(await effects('a')).toHaveLength(40), patience);
  const handled = await pool.query(
    `SELECT handler, array_agg((envelope -> 'data' ->> 'n')::int ORDER BY seq) AS numbers FROM messaging.inbox
     GROUP BY handler ORDER BY handler`,
  );
  expect(handled.rows).toEqual(['note', 'other'].map((handler) => ({ handler, numbers })));
});

test('when nobody wants a type, then it is not kept; when a handler wants it twice, then that is refused', async () => {
  const { bus } = await startInbox();
  const other = { ...changed, type: 'thing.forgotten' };
  await bus.publish(changed.topic, [
    createEvent(other, { subject: 'a', partnerId: 1, data: { n: 1 } }, { source: 'producer', clock }),
  ]);
  expect((await pool.query('SELECT 1 FROM messaging.inbox')).rows).toEqual([]);
  await expect(startInbox({ subscriptions: [note, note] })).rejects.toThrow('twice');
});

test('when seven days have passed, then what was handled is forgotten and what is dead is not', async () => {
  const moving = manualClock(new Date());
  const { bus, inbox } = await startInbox({ clock: moving, maxAttempts: 1 });
  await send(bus, 'a', 1, 2);
  const unfit = createEvent(
    changed,
    { subject: 'b', partnerId: 1, data: { n: 3 } },
    { source: 'producer', clock },
  );
  await bus.publish(changed.topic, [{ ...unfit, envelope: { ...unfit.envelope, data: null } }]);
  await vi.waitFor(
    async () => expect(await inbox.stats()).toEqual({ note: { live: 0, dead: 1, oldestAgeMs: 0 } }),
    patience,
  );

  expect(await inbox.purge()).toBe(0);
  moving.advance(7 * 24 * 60 * 60 * 1_000 + 60_000);
  expect(await inbox.purge()).toBe(2);
  expect(await inbox.stats()).toEqual({ note: { live: 0, dead: 1, oldestAgeMs: 0 } });
});

test('when an event has failed, then it waits longer each time', async () => {
  const moving = manualClock(new Date());
  const waits: number[] = [];
  const { bus } = await startInbox({
    clock: moving,
    retry: { firstMs: 1_000, longestMs: 4_000 },
    subscriptions: [
      {
        ...note,
        handle: async () => {
          throw new Error('no');
        },
      },
    ],
  });
  await send(bus, 'a', 1);
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const availableAt = await vi.waitFor(async () => {
      const { rows } = await pool.query<{ attempts: number; available_at: Date }>(
        'SELECT * FROM messaging.inbox',
      );
      expect(rows[0]?.attempts).toBe(attempt);
      return rows[0]?.available_at ?? new Date(0);
    }, patience);
    waits.push(availableAt.getTime() - moving.now().getTime());
    moving.set(availableAt);
  }
  for (const [index, longest] of [1_000, 2_000, 4_000, 4_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(waits[index]).toBeLessThanOrEqual(longest);
  }
});
