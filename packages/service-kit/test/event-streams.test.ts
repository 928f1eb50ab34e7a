import { once } from 'node:events';
import { connect } from 'node:net';
import { eventsOut, route } from '@portal/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { frontTimes } from '../src/host/front.ts';
import { implement } from '../src/index.ts';
import { startKit, type TestKit } from './kit.ts';

/** Streams of events on a real port. Time that passes between heartbeats is made to pass. */

const follow = route({
  id: 'follow',
  service: 'user',
  method: 'GET',
  path: '/v1/partner/stream',
  summary: '',
  access: { kind: 'partner', roles: 0 },
  response: eventsOut('thing', z.object({ thingId: z.number() })),
});

const followAdmin = route({
  id: 'followAdmin',
  service: 'user',
  method: 'GET',
  path: '/v1/admin/stream',
  summary: '',
  access: { kind: 'admin', roles: 0 },
  response: eventsOut('thing', z.object({ thingId: z.number() })),
});

let kit: TestKit;
let over = 0;
/** Another event for administrators. */
let happen: () => void;
let lastEventId: string | undefined;

beforeEach(async () => {
  over = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  kit = await startKit([
    implement(follow, async (_, call) => {
      lastEventId = call.lastEventId;
      return {
        async *follow(signal) {
          yield { id: '1', data: { thingId: 5 } };
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          over += 1;
        },
      };
    }),
    implement(followAdmin, async () => ({
      async *follow(signal) {
        const happened = new Promise<void>((resolve) => {
          happen = resolve;
        });
        const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        try {
          yield { id: '1', data: { thingId: 5 } };
          await Promise.race([happened, ended]);
          yield { id: '2', data: { thingId: 6 } };
          await ended;
        } finally {
          over += 1;
        }
      },
    })),
  ]);
});
afterEach(async () => {
  vi.useRealTimers();
  await kit.stop();
});

async function open(headers: Record<string, string> = {}, path: string = follow.path) {
  const leave = new AbortController();
  const reply = await kit.fetch(path, {
    headers: { authorization: `Bearer ${await kit.portal()}`, ...headers },
    signal: leave.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (end: string | undefined) => {
    while (end === undefined || !text.includes(end)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      text += value;
    }
    return text;
  };
  return { reply, until, leave: () => leave.abort() };
}

const event = 'event: thing\nid: 1\ndata: {"thing_id":5}\n\n';
const isOver = async () => vi.waitFor(() => expect(over).toBe(1), { timeout: 15_000 });

test('A stream tells events with the names of the wire, and gives the handler the last id', async () => {
  const { leave, reply, until } = await open({ 'last-event-id': '7' });
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  expect(reply.headers.get('x-accel-buffering')).toBe('no');
  expect(await until(event)).toBe(`:\n\n${event}`);
  expect(lastEventId).toBe('7');
  leave();
  await isOver();
});

test('A heartbeat comes each 20 seconds', async () => {
  const { leave, until } = await open();
  await until(event);
  vi.advanceTimersByTime(20_000);
  expect(await until(`${event}:\n\n`)).toBe(`:\n\n${event}:\n\n`);
  leave();
  await isOver();
});

test('It ends within five seconds after the session', async () => {
  const { until } = await open();
  await until(event);
  kit.clock.advance(3_600_001);
  vi.advanceTimersByTime(5_000);
  expect(await until(undefined)).toBe(`:\n\n${event}`);
  await isOver();
});

describe('When an administrator is changed', () => {
  const openAsAdmin = async () => {
    const stream = await open({ authorization: `Bearer ${await kit.admin()}` }, followAdmin.path);
    await stream.until(event);
    return stream;
  };

  test('then it ends within five seconds with another role', async () => {
    const { until } = await openAsAdmin();
    await kit.changeAdmin(1);
    vi.advanceTimersByTime(5_000);
    expect(await until(undefined)).toBe(`:\n\n${event}`);
    await isOver();
  });

  test('then it tells nothing more with another role, and ends', async () => {
    const { until } = await openAsAdmin();
    await kit.changeAdmin(1);
    happen();
    expect(await until(undefined)).toBe(`:\n\n${event}`);
    await isOver();
  });

  test('then it goes on with the same role', async () => {
    const { leave, until } = await openAsAdmin();
    await kit.changeAdmin(127);
    vi.advanceTimersByTime(5_000);
    happen();
    expect(await until('"thing_id":6')).toContain('id: 2\n');
    leave();
    await isOver();
  });
});

test('A process that stops ends it at once', async () => {
  const { until } = await open();
  await until(event);
  vi.useRealTimers();
  const begun = performance.now();
  const stopped = kit.stop();
  expect(await until(undefined)).toBe(`:\n\n${event}`);
  await stopped;
  expect(performance.now() - begun).toBeLessThan(5_000);
  await isOver();
});

test('A reader that takes nothing holds back its own stream, which ends with its connection', async () => {
  vi.useRealTimers();
  const flood = route({
    id: 'flood',
    service: 'user',
    method: 'GET',
    path: '/v1/partner/flood',
    summary: '',
    access: { kind: 'partner', roles: 0 },
    response: eventsOut('text', z.string()),
  });
  const text = 'x'.repeat(100_000);
  let told = 0;
  const stalled = await startKit(
    [
      implement(flood, async () => ({
        async *follow(signal) {
          try {
            for (; !signal.aborted; told += 1) yield { id: '1', data: text };
          } finally {
            over += 1;
          }
        },
      })),
    ],
    { times: { ...frontTimes, silence: 500 } },
  );
  const socket = connect(stalled.port, '127.0.0.1').pause();
  try {
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.write(
      `GET ${flood.path} HTTP/1.1\r\nhost: portal\r\nauthorization: Bearer ${await stalled.portal()}\r\n\r\n`,
    );
    await isOver();
    expect(told).toBeGreaterThan(0);
    // What the buffers of the connection hold, and one buffer of the stream.
    expect(told).toBeLessThan(500);
    socket.resume();
    await closed;
  } finally {
    socket.destroy();
    await stalled.stop();
  }
});
