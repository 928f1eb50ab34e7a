import type { RouteRequest } from '@portal/contracts';
import type { recordUsage } from '@portal/contracts/internal';
import { createLogger, manualClock } from '@portal/kernel';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUsageMeter, type UsageMeter } from '../src/usage-meter.ts';

type Batch = RouteRequest<typeof recordUsage>['body'];

const logger = createLogger({ level: 'fatal' });
const everyMs = 10_000;
let clock: ReturnType<typeof manualClock>;
let sent: Batch[];
let answer: () => Promise<void>;
let meter: UsageMeter;

const start = (seesBytes = true) =>
  createUsageMeter({
    clock,
    logger,
    everyMs,
    seesBytes,
    async send(batch) {
      sent.push(structuredClone(batch));
      await answer();
    },
  });

beforeEach(() => {
  vi.useFakeTimers();
  clock = manualClock(new Date('2026-11-21T23:59:59Z'));
  sent = [];
  answer = async () => undefined;
  meter = start();
});
afterEach(async () => {
  answer = async () => undefined;
  await meter.stop();
  vi.useRealTimers();
});

describe('When tenants call and move files', () => {
  test('then what each did goes out in one batch, by quarters of an hour, and no more than once', async () => {
    meter.countCall(1);
    meter.countCall(1);
    meter.countCall(2);
    meter.countTransfer(1, 'upload', 10);
    meter.countTransfer(1, 'download', 30);
    clock.advance(1_000);
    meter.countCall(1);
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.usage).toEqual([
      { partnerId: 1, day: '2026-11-21', quarter: 95, apiCalls: 2, uploadedBytes: 10, downloadedBytes: 30 },
      { partnerId: 2, day: '2026-11-21', quarter: 95, apiCalls: 1, uploadedBytes: 0, downloadedBytes: 0 },
      { partnerId: 1, day: '2026-11-22', quarter: 0, apiCalls: 1, uploadedBytes: 0, downloadedBytes: 0 },
    ]);
    await vi.advanceTimersByTimeAsync(3 * everyMs);
    expect(sent).toHaveLength(1);
  });

  test('then a batch that did not arrive for sure is sent again as it was, before the next one', async () => {
    answer = async () => Promise.reject(new Error('away'));
    meter.countCall(1);
    await vi.advanceTimersByTimeAsync(everyMs);
    meter.countCall(1);
    meter.countCall(1);
    await vi.advanceTimersByTimeAsync(everyMs);
    answer = async () => undefined;
    await vi.advanceTimersByTimeAsync(everyMs);
    const [first, again, arrived, next] = sent;
    expect([again, arrived]).toEqual([first, first]);
    expect(next?.batchId).not.toBe(first?.batchId);
    expect(next?.usage).toMatchObject([{ apiCalls: 2 }]);
    expect(sent).toHaveLength(4);
  });

  test('then what happens while the service is away is one entry for each tenant and quarter of an hour', async () => {
    answer = async () => Promise.reject(new Error('away'));
    for (let interval = 0; interval < 10; interval += 1) {
      meter.countCall(1);
      await vi.advanceTimersByTimeAsync(everyMs);
    }
    const [first] = sent;
    expect(sent).toEqual(Array.from({ length: 10 }, () => first));
    sent = [];
    answer = async () => undefined;
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent).toMatchObject([first, { usage: [{ partnerId: 1, apiCalls: 9 }] }]);
    expect(sent).toHaveLength(2);
  });

  test('then a stop hands over what is left', async () => {
    meter.countCall(7);
    await meter.stop();
    expect(sent).toMatchObject([{ usage: [{ partnerId: 7, apiCalls: 1 }] }]);
  });

  test('then a batch holds no more than one call may carry', async () => {
    for (let id = 1; id <= 2_500; id++) meter.countCall(id);
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent.map(({ usage }) => usage.length)).toEqual([1000, 1000, 500]);
  });

  test('then bytes that pass by are not known, rather than none', async () => {
    await meter.stop();
    meter = start(false);
    meter.countCall(1);
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent).toMatchObject([{ usage: [{ uploadedBytes: null, downloadedBytes: null }] }]);
  });
});
