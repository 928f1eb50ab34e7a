import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, manualClock, systemClock } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import { type TestDatabase, testDatabase } from '@portal/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWorker, leaseQueue, ofPartner, systemScope, TaskLost } from '../../src/index.ts';
import {
  type ClaimedTask,
  claimTasks,
  finishTask,
  holdTask,
  releaseTask,
  renewLease,
} from '../../src/lease-queue/tasks.ts';
import { directories, storeOn } from './store.ts';

const logger = createLogger({ level: 'silent' });
const leaseMs = 1_000;
let database: TestDatabase;
let store: ReturnType<typeof storeOn>;
beforeAll(async () => {
  database = await testDatabase({ service: 'queue', directories });
  store = storeOn(database.url);
});
afterAll(async () => {
  await store?.end();
  await database?.drop();
});

interface Row {
  readonly id: string;
  readonly attempts: number;
  readonly due_at: Date;
  readonly lease: string | null;
  readonly seq: bigint;
}
const rows = async (): Promise<Row[]> =>
  store.read(systemScope('test'), (db) =>
    db.$queryRawUnsafe<Row[]>('SELECT * FROM messaging.task ORDER BY seq'),
  );
const inSystem = async <T>(work: (db: SqlExecutor) => Promise<T>): Promise<T> =>
  store.write(systemScope('test'), ({ db }) => work(db));
beforeEach(async () => {
  await inSystem((db) => db.$executeRawUnsafe('DELETE FROM messaging.task'));
});

/** Takes with a clock that stands still, as a worker would. */
function taking(
  queue: ReturnType<typeof leaseQueue<null>>,
  clock = manualClock(new Date('2026-11-21T09:00:00Z')),
) {
  const until = () => new Date(clock.now().getTime() + leaseMs);
  return {
    clock,
    until,
    add: async (tasks: readonly { id: string; partnerId: number | null; priority?: number }[]) =>
      inSystem((db) =>
        queue.add(
          db,
          tasks.map((task) => ({ ...task, payload: null })),
          clock.now(),
        ),
      ),
    take: async (most: number) =>
      inSystem((db) => claimTasks<null>(db, queue, { most, now: clock.now(), until: until() })),
  };
}
const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);

describe('Of what is due', () => {
  test('the lowest priority comes first, then what waits longest', async () => {
    const { add, clock, take } = taking(leaseQueue('plain'));
    await add([
      { id: 'late 1', partnerId: 1, priority: 1 },
      { id: 'late 2', partnerId: 2, priority: 1 },
    ]);
    clock.advance(1);
    await add([
      { id: 'b', partnerId: 1 },
      { id: 'a', partnerId: 1 },
    ]);
    expect(idsOf(await take(3))).toEqual(['b', 'a', 'late 1']);
    expect(idsOf(await take(3))).toEqual(['late 2']);
  });

  test('of two queues each has its own', async () => {
    const [one, other] = [taking(leaseQueue('one')), taking(leaseQueue('other'))];
    await one.add([{ id: 'a', partnerId: 1 }]);
    await other.add([{ id: 'a', partnerId: 1 }]);
    expect(idsOf(await other.take(9))).toEqual(['a']);
    expect(idsOf(await one.take(9))).toEqual(['a']);
  });

  test('what is added twice is there once, also while it is in hand', async () => {
    const { add, take } = taking(leaseQueue('plain'));
    await add([{ id: 'a', partnerId: 1 }]);
    const [task] = await take(1);
    await add([{ id: 'a', partnerId: 1 }]);
    expect(await rows()).toMatchObject([{ lease: task?.lease }]);
  });

  test('tenants take turns, each with one at a time', async () => {
    const queue = leaseQueue<null>('turns', { oneOfEachTenant: true });
    const { add, take } = taking(queue);
    await add(['a1', 'a2', 'a3', 'a4'].map((id) => ({ id, partnerId: 1 })));
    await add(['b1', 'b2'].map((id) => ({ id, partnerId: 2 })));
    await add(['none1', 'none2'].map((id) => ({ id, partnerId: null })));
    const all = await take(9);
    expect(idsOf(all)).toEqual(['a1', 'b1', 'none1']);
    expect(await take(9)).toEqual([]);

    const order: string[] = [];
    for (let held = all; held.length > 0; ) {
      const [first, ...others] = held;
      if (first) await inSystem((db) => finishTask(db, first));
      const more = await take(9);
      order.push(...idsOf(more));
      held = [...others, ...more];
    }
    expect(order).toEqual(['a2', 'b2', 'none2', 'a3', 'a4']);
  });

  test('what waits of a tenant is written anew when others wait, and only then', async () => {
    const queue = leaseQueue<null>('turns', { oneOfEachTenant: true });
    const { add, take } = taking(queue);
    const moved = async () => {
      const before = new Map((await rows()).map(({ id, seq }) => [id, seq]));
      const taken = await take(1);
      const after = await rows();
      for (const task of taken) await inSystem((db) => finishTask(db, task));
      return after.filter(({ id, seq }) => before.get(id) !== seq).map(({ id }) => id);
    };
    await add(['a1', 'a2', 'a3', 'a4'].map((id) => ({ id, partnerId: 1 })));
    expect(await moved()).toEqual([]);
    await add([{ id: 'b1', partnerId: 2 }]);
    expect(await moved()).toEqual(['a3', 'a4']);
    expect(idsOf(await take(2))).toEqual(['b1', 'a3']);
  });

  test('of many workers at one moment no two take the same, nor two of one tenant', async () => {
    const queue = leaseQueue<null>('turns', { oneOfEachTenant: true });
    const { add, take } = taking(queue);
    for (let round = 0; round < 10; round += 1) {
      await add(Array.from({ length: 12 }, (_, n) => ({ id: `${round}-${n}`, partnerId: n % 4 })));
      const taken = (await Promise.all([take(2), take(2), take(2), take(2)])).flat();
      expect(taken.map(({ partnerId }) => partnerId).sort()).toEqual([0, 1, 2, 3]);
      for (const task of taken) await inSystem((db) => finishTask(db, task));
    }
  });
});

describe('Of two workers that both believe to have a task', () => {
  test('the later has it, and the earlier can neither keep, settle nor leave it', async () => {
    const queue = leaseQueue<null>('plain');
    const { add, clock, take, until } = taking(queue);
    await add([{ id: 'a', partnerId: 1 }]);
    const [early] = await take(1);
    clock.advance(leaseMs);
    const [late] = await take(1);
    if (!early || !late) throw new Error('It was not taken twice');
    expect(late.attempts).toBe(2);
    expect(await inSystem((db) => holdTask(db, early, until()))).toBe(false);
    expect(await inSystem((db) => renewLease(db, early, until()))).toBe(false);
    expect(await inSystem((db) => finishTask(db, early))).toBe(false);
    await inSystem((db) => releaseTask(db, early, { attempts: 0, dueAt: clock.now() }));
    expect(await rows()).toMatchObject([{ attempts: 2, lease: late.lease }]);
    expect(await inSystem((db) => finishTask(db, late))).toBe(true);
    expect(await inSystem((db) => finishTask(db, late))).toBe(false);
  });

  test('one whose transaction keeps it has it to its end, however long that takes', async () => {
    const queue = leaseQueue<null>('plain');
    const { add, clock, take, until } = taking(queue);
    await add([{ id: 'a', partnerId: 1 }]);
    const [task] = await take(1);
    if (!task) throw new Error('It was not taken');
    await store.write(ofPartner(1), async ({ db }) => {
      expect(await holdTask(db, task, until())).toBe(true);
      clock.advance(10 * leaseMs);
      expect(await take(1)).toEqual([]);
      expect(await inSystem((other) => renewLease(other, task, until()))).toBe(true);
      expect(await finishTask(db, task)).toBe(true);
    });
    expect(await rows()).toEqual([]);
  });

  test('no other tenant sees it', async () => {
    const queue = leaseQueue<null>('plain');
    const { add, take, until } = taking(queue);
    await add([{ id: 'a', partnerId: 1 }]);
    const [task] = await take(1);
    if (!task) throw new Error('It was not taken');
    await store.write(ofPartner(2), async ({ db }) => {
      expect(await holdTask(db, task, until())).toBe(false);
      expect(await finishTask(db, task)).toBe(false);
      await queue.remove(db, ['a']);
    });
    const stranger = store.write(ofPartner(2), ({ db }) =>
      queue.add(db, [{ id: 'b', partnerId: 1, payload: null }], new Date()),
    );
    await expect(stranger).rejects.toThrow(/row-level security/);
    expect(await rows()).toMatchObject([{ id: 'a', lease: task.lease }]);
  });
});

/** What a queue promises, against a plain list in memory. */
interface Known {
  readonly id: string;
  readonly partnerId: number | null;
  readonly priority: number;
  dueAt: number;
  /** The latest taking of it, unless it was left. */
  lease: string | undefined;
  /** Tenants that had a turn while it could have been taken. */
  passedBy: Set<number | null>;
}

const partnerId = fc.constantFrom(1, 2, 3, null);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), partnerId, priority: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('take'), most: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('finish', 'leave'), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(1, leaseMs) }) },
) as fc.Arbitrary<
  | { kind: 'add'; partnerId: number | null; priority: number }
  | { kind: 'take'; most: number }
  | { kind: 'finish' | 'leave'; which: number }
  | { kind: 'wait'; ms: number }
>;

test.each([false, true])(
  'Whatever workers do, nothing is lost or settled by two, the order is kept and tenants take turns (%s)',
  async (oneOfEachTenant) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        await inSystem((db) => db.$executeRawUnsafe('DELETE FROM messaging.task'));
        const queue = leaseQueue<null>('model', { oneOfEachTenant });
        const { add, clock, take } = taking(queue);
        const model = new Map<string, Known>();
        const takings: ClaimedTask<null>[] = [];
        let added = 0;
        const isDue = ({ dueAt }: Known) => dueAt <= clock.now().getTime();
        const mayBeTaken = (task: Known) =>
          isDue(task) &&
          !(
            oneOfEachTenant &&
            [...model.values()].some(
              (other) => other.partnerId === task.partnerId && other.lease !== undefined && !isDue(other),
            )
          );

        function checkTaking(task: ClaimedTask<null>): void {
          const known = model.get(task.id);
          if (!known) throw new Error(`Task ${task.id} was settled before`);
          expect(mayBeTaken(known), 'it is due, and its tenant has no other in hand').toBe(true);
          for (const other of [...model.values()].filter(mayBeTaken)) {
            expect(other.priority, 'none of a lower priority waits').toBeGreaterThanOrEqual(known.priority);
            if (!oneOfEachTenant || other.partnerId === task.partnerId) continue;
            if (other.priority > known.priority) continue;
            expect(other.passedBy, 'no tenant has two turns while another waits').not.toContain(
              task.partnerId,
            );
            other.passedBy.add(task.partnerId);
          }
          for (const its of model.values()) {
            if (its.partnerId === task.partnerId) its.passedBy.clear();
          }
          Object.assign(known, { dueAt: clock.now().getTime() + leaseMs, lease: task.lease });
          takings.push(task);
        }

        for (const action of steps) {
          switch (action.kind) {
            case 'add': {
              const task = { id: String(added++), partnerId: action.partnerId, priority: action.priority };
              await add([task]);
              const dueAt = clock.now().getTime();
              model.set(task.id, { ...task, dueAt, lease: undefined, passedBy: new Set() });
              break;
            }
            case 'take':
              for (const task of await take(action.most)) checkTaking(task);
              break;
            case 'wait':
              clock.advance(action.ms);
              break;
            default: {
              const task = takings[action.which % Math.max(takings.length, 1)];
              if (!task) break;
              const known = model.get(task.id);
              const isMine = known?.lease === task.lease;
              if (action.kind === 'finish') {
                const settled = await inSystem((db) => finishTask(db, task));
                expect(settled, 'the latest to take it settles it, once').toBe(isMine);
                if (settled) model.delete(task.id);
              } else {
                const dueAt = clock.now();
                await inSystem((db) => releaseTask(db, task, { attempts: 0, dueAt }));
                if (isMine) {
                  Object.assign(known, { dueAt: dueAt.getTime(), lease: undefined, passedBy: new Set() });
                }
              }
            }
          }
        }
        expect(idsOf(await rows()).sort(), 'nothing is lost').toEqual([...model.keys()].sort());
      }),
      { numRuns: 60 },
    );
  },
  60_000,
);

describe('A worker', () => {
  const retry = { firstMs: 1, longestMs: 1 };
  const queue = leaseQueue<{ n: number }>('work');
  const add = async (...ids: string[]) =>
    inSystem((db) =>
      queue.add(
        db,
        ids.map((id) => ({ id, partnerId: 1, payload: { n: 1 } })),
        new Date(),
      ),
    );
  const deps = () => ({ clock: systemClock(), logger, store });
  const run = { scope: systemScope('test'), startedAt: new Date(), stopping: new AbortController().signal };

  test('has as many in hand as it may, and takes the next when one is done', async () => {
    await add(...Array.from({ length: 10 }, (_, n) => String(n)));
    let atOnce = 0;
    let most = 0;
    const worker = createWorker(deps(), queue, {
      atOnce: 3,
      retry,
      async work(task) {
        most = Math.max(most, ++atOnce);
        await sleep(20);
        atOnce -= 1;
        await store.write(task.scope, ({ db }) => task.finish(db));
      },
    });
    await worker.job.run(run);
    await vi.waitFor(async () => expect(await rows()).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(most).toBe(3);
    await worker.job.stop?.();
  });

  test('takes one more of each tenant that it works on nothing of, as many as it has spare', async () => {
    const of = (partnerId: number, ...ids: string[]) =>
      inSystem((db) =>
        queue.add(
          db,
          ids.map((id) => ({ id, partnerId, payload: { n: 1 } })),
          new Date(),
        ),
      );
    await of(1, 'a1', 'a2', 'a3', 'a4');
    const begun: string[] = [];
    const waiting = new AbortController();
    const worker = createWorker(deps(), queue, {
      atOnce: 2,
      spare: 2,
      retry,
      async work({ id, ...task }) {
        begun.push(id);
        await sleep(10_000, undefined, { signal: waiting.signal }).catch(() => undefined);
        await store.write(task.scope, ({ db }) => task.finish(db));
      },
    });
    await worker.job.run(run);
    expect(begun).toEqual(['a1', 'a2']);
    await of(2, 'b1', 'b2');
    await of(3, 'c1');
    await of(4, 'd1');
    await worker.job.run(run);
    await worker.job.run(run);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
    waiting.abort();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(begun.sort()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'd1']);
    await worker.job.stop?.();
  });

  test('keeps a task for as long as the work takes', async () => {
    await add('a');
    const tries = vi.fn();
    const work = {
      atOnce: 1,
      leaseMs: 150,
      retry,
      async work(
        task: Parameters<Parameters<typeof createWorker<SqlExecutor, { n: number }>>[2]['work']>[0],
      ) {
        tries();
        await sleep(600);
        await store.write(task.scope, ({ db }) => task.finish(db));
      },
    };
    const workers = [createWorker(deps(), queue, work), createWorker(deps(), queue, work)];
    for (let look = 0; look < 12; look += 1) {
      await Promise.all(workers.map(async ({ job }) => job.run(run)));
      await sleep(50);
    }
    await Promise.all(workers.map(async ({ job }) => job.stop?.()));
    expect(await rows()).toEqual([]);
    expect(tries).toHaveBeenCalledTimes(1);
  });

  test('stops when its task is removed, and records no outcome', async () => {
    await add('a');
    const begun = Promise.withResolvers<void>();
    const ended = vi.fn();
    const worker = createWorker(deps(), queue, {
      atOnce: 1,
      leaseMs: 60,
      retry,
      async work(task) {
        begun.resolve();
        await sleep(5_000, undefined, { signal: task.signal }).catch(() => undefined);
        await store.write(task.scope, ({ db }) => task.finish(db)).catch(ended);
      },
    });
    await worker.job.run(run);
    await begun.promise;
    await inSystem((db) => queue.remove(db, ['a']));
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(expect.any(TaskLost)), { timeout: 15_000 });
    await worker.job.stop?.();
  });

  test('gives back at once what it has in hand when the service stops, which is no failed try', async () => {
    await add('a', 'b', 'c');
    const worker = createWorker(deps(), queue, {
      atOnce: 2,
      retry: { firstMs: 60_000, longestMs: 60_000 },
      work: async ({ signal }) => sleep(60_000, undefined, { signal }),
    });
    await worker.job.run(run);
    expect((await rows()).filter(({ lease }) => lease !== null)).toHaveLength(2);
    await worker.job.stop?.();
    const now = Date.now();
    for (const { attempts, due_at, lease } of await rows())
      expect([attempts, lease, due_at.getTime() <= now]).toEqual([0, null, true]);
    await worker.job.run(run);
    expect((await rows()).every(({ lease }) => lease === null)).toBe(true);
  });

  test('claims a task at its time and not before, where it is punctual', async () => {
    const begun: { id: string; lateMs: number }[] = [];
    const worker = createWorker(deps(), queue, {
      atOnce: 3,
      isPunctual: true,
      retry,
      async work(task) {
        begun.push({ id: task.id, lateMs: Date.now() - dueAt[task.id === 'soon' ? 0 : 1].getTime() });
        await store.write(task.scope, ({ db }) => task.finish(db));
      },
    });
    const dueAt = [new Date(Date.now() + 300), new Date(Date.now() + 600)] as const;
    await inSystem((db) =>
      queue.add(
        db,
        [
          { id: 'later', partnerId: 1, payload: { n: 1 }, dueAt: dueAt[1] },
          { id: 'soon', partnerId: 1, payload: { n: 1 }, dueAt: dueAt[0] },
        ],
        new Date(),
      ),
    );
    await worker.job.run(run);
    expect(begun).toEqual([]);
    await vi.waitFor(async () => expect(await rows()).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(begun.map(({ id }) => id)).toEqual(['soon', 'later']);
    // A look every three seconds alone would be later.
    for (const { lateMs } of begun) expect(lateMs >= 0 && lateMs < 1_500).toBe(true);
    await worker.job.stop?.();
  });

  test('goes on no sooner than the work asks for', async () => {
    await add('waiting');
    const turns: number[] = [];
    const worker = createWorker(deps(), queue, {
      atOnce: 1,
      isPunctual: true,
      retry,
      async work(task) {
        turns.push(Date.now());
        if (turns.length === 1) return { notBefore: new Date(Date.now() + 400) };
        return store.write(task.scope, ({ db }) => task.finish(db));
      },
    });
    await worker.job.run(run);
    await vi.waitFor(async () => expect(await rows()).toEqual([]), { timeout: 5_000, interval: 20 });
    const [first = 0, second = 0] = turns;
    expect(second - first).toBeGreaterThanOrEqual(400);
    expect(turns).toHaveLength(2);
    await worker.job.stop?.();
  });

  test('goes on behind all others with what it has not finished', async () => {
    await add('long', 'short');
    const order: string[] = [];
    const worker = createWorker(deps(), queue, {
      atOnce: 1,
      retry,
      async work(task) {
        order.push(task.id);
        if (order.length > 2 || task.id === 'short')
          await store.write(task.scope, ({ db }) => task.finish(db));
      },
    });
    await worker.job.run(run);
    await vi.waitFor(async () => expect(await rows()).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(order).toEqual(['long', 'short', 'long']);
    await worker.job.stop?.();
  });

  test.each([
    ['fails', 0],
    ['dies', 3],
  ])('gives up for good what %s too often, in the transaction that takes it out', async (_, diedBefore) => {
    await add('a');
    await inSystem((db) =>
      db.$executeRawUnsafe('UPDATE messaging.task SET attempts = $1::integer', diedBefore),
    );
    const tries = vi.fn();
    const givenUp = vi.fn();
    const worker = createWorker(deps(), queue, {
      atOnce: 1,
      retry: { ...retry, tries: 3 },
      async work() {
        tries();
        throw new Error('In vain');
      },
      async giveUp({ db }, task, error) {
        const [left] = await db.$queryRawUnsafe<unknown[]>('SELECT 1 FROM messaging.task');
        givenUp(left, task.id, String(error));
      },
    });
    await vi.waitFor(
      async () => {
        await worker.job.run(run);
        expect(await rows()).toEqual([]);
      },
      { timeout: 5_000, interval: 20 },
    );
    expect(tries).toHaveBeenCalledTimes(3 - diedBefore);
    expect(givenUp.mock.calls).toEqual([
      [undefined, 'a', diedBefore === 0 ? 'Error: In vain' : 'Error: Its workers died'],
    ]);
    await worker.job.stop?.();
  });

  test('begins with a task at once when it is asked to, and everybody who asks waits for the same run', async () => {
    await add('a', 'b');
    const runs = vi.fn();
    const worker = createWorker(deps(), queue, {
      atOnce: 1,
      retry,
      async work(task) {
        runs(task.id);
        await sleep(50);
        await store.write(task.scope, ({ db }) => task.finish(db));
      },
    });
    const asked = await Promise.all(['b', 'b', 'unknown'].map(async (id) => worker.runNow(id)));
    expect(asked).toEqual([true, true, false]);
    expect(runs.mock.calls[0]).toEqual(['b']);
    expect(idsOf(await rows())).not.toContain('b');
    await worker.job.stop?.();
    expect(runs.mock.calls.filter(([id]) => id === 'b')).toHaveLength(1);
  });
});
