import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Job, startJobs } from '../src/jobs.ts';

const logger = createLogger({ level: 'silent' });
const long = 60_000;
const start = (jobs: readonly Job[], snapshot = async () => '1:1:', longestTurnMs?: number) =>
  startJobs(jobs, { clock: systemClock(), logger, snapshot, ...(longestTurnMs && { longestTurnMs }) });

test('A job runs at once, then when it is woken, and never twice at the same time', async () => {
  let atOnce = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await sleep(100);
    atOnce -= 1;
    runs += 1;
  };
  const jobs = start([{ name: 'one', everyMs: long, run }]);
  await vi.waitFor(() => expect(runs).toBe(1), { timeout: 15_000 });
  jobs.wake('one');
  await vi.waitFor(() => expect(atOnce).toBe(1), { interval: 5, timeout: 15_000 });
  // While it runs: one more run is due after it, however often it was woken.
  jobs.wake('one');
  jobs.wake('one');
  jobs.wake('another');
  await vi.waitFor(() => expect(runs).toBe(3), { timeout: 15_000 });
  await sleep(200);
  expect([runs, most]).toEqual([3, 1]);
  await jobs.stop();
  jobs.wake('one');
  await sleep(30);
  expect(runs).toBe(3);
});

test('Jobs that are run end with a run that began after the call, even of one that is running or fails', async () => {
  let begun = 0;
  let ended = 0;
  const run = async () => {
    begun += 1;
    await sleep(50);
    ended += 1;
  };
  const fails = vi.fn(async () => Promise.reject(new Error('not now')));
  const jobs = start([
    { name: 'one', everyMs: long, run },
    { name: 'two', everyMs: long, run: fails },
  ]);
  await vi.waitFor(() => expect(begun).toBe(1), { interval: 5, timeout: 15_000 });
  // The first call finds it running, and the second joins the first.
  await Promise.all([jobs.runAll(), jobs.runAll()]);
  expect([begun, ended]).toEqual([2, 2]);
  await jobs.runAll();
  expect([begun, ended]).toEqual([3, 3]);
  expect(fails.mock.calls.length).toBeGreaterThan(1);
  const left = jobs.runAll();
  await jobs.stop();
  await Promise.all([left, jobs.runAll()]);
  expect([begun, ended]).toEqual([3, 3]);
});

test('While the database stays as it is, a job that may be quiet runs when it said, or when it is woken', async () => {
  let shown = 1;
  let next: Date | undefined;
  let fails = false;
  const run = vi.fn(async () => {
    if (fails) throw new Error('not now');
    const answer = next;
    next = undefined;
    return answer;
  });
  const runs = () => run.mock.calls.length;
  const always = vi.fn(async () => undefined);
  const snapshot = vi.fn(async () => String(shown));
  const jobs = start(
    [
      { name: 'quiet', everyMs: 20, quietMs: long, run },
      { name: 'always', everyMs: 20, run: always },
    ],
    snapshot,
  );
  const afterSome = async () => {
    const before = snapshot.mock.calls.length;
    await vi.waitFor(() => expect(snapshot.mock.calls.length).toBeGreaterThan(before + 5), {
      timeout: 15_000,
    });
    return runs();
  };
  expect(await afterSome()).toBe(1);
  expect(always.mock.calls.length).toBeGreaterThan(2);

  shown += 1;
  await vi.waitFor(() => expect(runs()).toBe(2), { timeout: 15_000 });
  expect(await afterSome()).toBe(2);

  jobs.wake('quiet');
  await vi.waitFor(() => expect(runs()).toBe(3), { timeout: 15_000 });
  await jobs.runAll();
  expect(runs()).toBe(4);

  // Something is due in a moment, and then nothing more.
  const due = new Date(Date.now() + 300);
  next = due;
  jobs.wake('quiet');
  await vi.waitFor(() => expect(runs()).toBe(6), { interval: 1, timeout: 15_000 });
  expect(Date.now()).toBeGreaterThanOrEqual(due.getTime());
  expect(await afterSome()).toBe(6);

  // What failed has found nothing.
  fails = true;
  shown += 1;
  await vi.waitFor(() => expect(runs()).toBeGreaterThan(8), { timeout: 15_000 });
  await jobs.stop();
});

test('A change between the look at the database and the run is found by the next run', async () => {
  let shown = 1;
  const run = vi.fn(async () => {
    if (run.mock.calls.length === 1) shown += 1;
  });
  const jobs = start([{ name: 'quiet', everyMs: 20, quietMs: long, run }], async () => String(shown));
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), { timeout: 15_000 });
  await sleep(200);
  expect(run).toHaveBeenCalledTimes(2);
  await jobs.stop();
});

test('A job that fails comes again', async () => {
  const run = vi.fn(async () => Promise.reject(new Error('not now')));
  const jobs = start([{ name: 'one', everyMs: 10, run }]);
  await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(2), { timeout: 15_000 });
  await jobs.stop();
});

describe('The first runs', () => {
  const begun: string[] = [];
  beforeEach(() => void begun.splice(0));
  const job = (name: string, until?: Promise<void>) => ({
    name,
    everyMs: long,
    async run() {
      begun.push(name);
      await until;
    },
  });
  const haveBegun = async (...names: string[]) =>
    vi.waitFor(() => expect(begun).toEqual(names), { interval: 5, timeout: 15_000 });

  test('come one after the other, and one that is woken waits for none', async () => {
    const first = Promise.withResolvers<void>();
    const third = Promise.withResolvers<void>();
    const jobs = start(
      [job('first', first.promise), job('second'), job('third', third.promise), job('fourth'), job('fifth')],
      undefined,
      long,
    );
    jobs.wake('fourth');
    await haveBegun('first', 'fourth');
    first.resolve();
    await haveBegun('first', 'fourth', 'second', 'third');
    third.resolve();
    await haveBegun('first', 'fourth', 'second', 'third', 'fifth');
    await jobs.stop();
  });

  test('are held up by one that takes long for a turn alone', async () => {
    const first = Promise.withResolvers<void>();
    const jobs = start([job('first', first.promise), job('second')], undefined, 50);
    await haveBegun('first', 'second');
    first.resolve();
    await jobs.stop();
  });
});
