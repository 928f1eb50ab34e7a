import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conduct, Listener, TakenPush } from '@portal/push-stand-in';
import { freePort } from '@portal/testing/product';
import { afterEach, describe, expect, test } from 'vitest';
import type { Push, PushOutcome, PushProvider } from '../../src/providers/provider.ts';

/** What a test has of one adapter: a server that speaks its protocol, and the means to make providers for it. */
export interface Bench {
  readonly server: Listener;
  /** What the server has taken, in order. */
  readonly taken: TakenPush[];
  /** What it does instead of taking a push; undefined: takes it. */
  conduct: ((push: TakenPush) => Conduct | undefined | Promise<Conduct | undefined>) | undefined;
  create(settings?: {
    readonly url?: string;
    readonly requestMs?: number;
    readonly ca?: string;
  }): PushProvider;
}

/** What each adapter must do, whatever its protocol. */
export function providerContract(
  service: 'apns' | 'fcm',
  start: () => Promise<Bench>,
  /** Answers that the provider documents, and what each means. */
  documented: readonly (readonly [status: number, reason: string, kind: PushOutcome['kind']])[],
): void {
  const requestMs = 400;
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  async function bench(): Promise<Bench> {
    const started = await start();
    opened.push(started.server);
    return started;
  }
  function providerOf(of: Bench, settings: Parameters<Bench['create']>[0] = {}): PushProvider {
    const provider = of.create(settings);
    // Before its server.
    opened.unshift(provider);
    return provider;
  }
  const send = async (provider: PushProvider, push = pushTo(0), signal = new AbortController().signal) =>
    provider.send(push, signal);

  describe(`When a push goes to ${service}`, () => {
    test('then the provider gets all that it says, and it is taken', async () => {
      const at = await bench();
      const push = {
        ...pushTo(1),
        title: '速報 "News"',
        message: '新しい資料\nあり',
        json: '{"a":"\\u00e9"}',
      };
      expect(await send(providerOf(at), push)).toEqual({ kind: 'taken' });
      expect(at.taken).toEqual([
        {
          service,
          token: push.token,
          title: push.title,
          message: push.message,
          json: push.json,
          id: service === 'apns' ? push.id : push.collapseKey,
          collapseKey: push.collapseKey,
          receivedAt: expect.any(Date),
        },
      ]);
    });

    test('then one without title and JSON is taken as well', async () => {
      const at = await bench();
      expect(await send(providerOf(at), { ...pushTo(2), title: null, json: null })).toEqual({
        kind: 'taken',
      });
      expect(at.taken[0]).toMatchObject({ title: null, json: null, message: 'Message' });
    });

    test('then a second try has the same id and collapse key', async () => {
      const at = await bench();
      const provider = providerOf(at);
      at.conduct = () => ({ kind: 'refuse', status: 503, reason: 'UNAVAILABLE' });
      expect((await send(provider)).kind).toBe('later');
      at.conduct = undefined;
      await send(provider);
      await send(provider);
      expect(new Set(at.taken.map(({ collapseKey, id }) => `${id} ${collapseKey}`)).size).toBe(1);
    });

    test('then more than a connection holds at once are all taken, each once', async () => {
      const at = await bench();
      const provider = providerOf(at, { requestMs: 20_000 });
      const outcomes = await Promise.all(
        Array.from({ length: 1_500 }, async (_, n) => send(provider, pushTo(n))),
      );
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['taken']));
      expect(new Set(at.taken.map(({ token }) => token)).size).toBe(1_500);
      expect(at.taken).toHaveLength(1_500);
    });

    test('then each of several notifications at the same time says its own', async () => {
      const at = await bench();
      const provider = providerOf(at);
      const pushes = Array.from(
        { length: 40 },
        (_, n): Push => ({
          ...pushTo(n),
          title: n % 4 === 0 ? null : 'Title',
          message: n % 4 === 1 ? 'Another' : 'Message',
          json: n % 4 === 2 ? null : '{"n":1}',
          collapseKey: n % 4 === 3 ? '43' : '42',
        }),
      );
      await Promise.all(pushes.map(async (push) => send(provider, push)));
      const said = ({ collapseKey, id, json, message, title, token }: Push) =>
        service === 'apns'
          ? { collapseKey, id, json, message, title, token }
          : { collapseKey, json, message, title, token };
      const byToken = (a: { token: string }, b: { token: string }) => (a.token < b.token ? -1 : 1);
      expect(
        at.taken
          .map(({ collapseKey, ...push }) => said({ ...push, collapseKey: collapseKey ?? '' }))
          .sort(byToken),
      ).toEqual(pushes.map(said).sort(byToken));
    });
  });

  describe(`When ${service} does not take a push`, () => {
    test.each(documented)('then its answer %i %s means %s', async (status, reason, kind) => {
      const at = await bench();
      at.conduct = () => ({ kind: 'refuse', status, reason, ...(status === 410 && { timestamp: 1 }) });
      expect(await send(providerOf(at))).toEqual({ kind, reason });
    });

    test.each([502, 404, 400, 200])(
      'then an answer %i of something in between is neither a success nor about the token',
      async (status) => {
        const at = await bench();
        at.conduct = () => ({ kind: 'text', status, body: '<html>Sign in to the network</html>' });
        const outcome = await send(providerOf(at));
        expect(outcome.kind).toBe('later');
        expect(outcome).toHaveProperty('reason', expect.stringMatching(/^(HTTP \d{3}|ConnectionClosed)$/));
      },
    );

    test('then what it says freely goes no further', async () => {
      const at = await bench();
      at.conduct = () => ({
        kind: 'refuse',
        status: 400,
        reason: `The token ${pushTo(0).token} <b>is bad</b>`,
      });
      expect(await send(providerOf(at))).toEqual({ kind: 'refused', reason: 'HTTP 400' });
    });
  });

  describe(`When ${service} does not answer as it should`, () => {
    test.each(['hang', 'drip'] as const)(
      'then a push that it lets %s is given up at the time limit, and later ones go',
      async (kind) => {
        const at = await bench();
        const provider = providerOf(at, { requestMs });
        at.conduct = ({ token }) => (token === pushTo(0).token ? { kind } : undefined);
        await send(provider, pushTo(1));
        expect(await send(provider)).toEqual({ kind: 'later', reason: 'Timeout' });
        // A new connection may take longer than so short a limit.
        await expect
          .poll(async () => send(provider, pushTo(2)), { timeout: 20_000 })
          .toEqual({ kind: 'taken' });
      },
    );

    test('then an answer without end is broken off, long before it fills the memory', async () => {
      const at = await bench();
      const provider = providerOf(at, { requestMs: 20_000 });
      await send(provider, pushTo(1));
      at.conduct = () => ({ kind: 'endless' });
      const before = process.memoryUsage().rss;
      const begun = performance.now();
      const outcome = await send(provider);
      expect(outcome.kind).toBe('later');
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(500 * 2 ** 20);
      at.conduct = undefined;
      expect(await send(provider, pushTo(2))).toEqual({ kind: 'taken' });
    });

    test.each(['reset', 'drop', 'goaway'] as const)(
      'then what is lost in a %s is tried again, and none is lost for good',
      async (kind) => {
        const at = await bench();
        const provider = providerOf(at, { requestMs: 20_000 });
        let n = 0;
        at.conduct = async () => {
          n += 1;
          const isHundredth = n % 100 === 0;
          await sleep(1);
          return isHundredth ? { kind } : undefined;
        };
        const waiting = new Set(Array.from({ length: 500 }, (_, of) => of));
        let lost = 0;
        for (let round = 0; waiting.size > 0 && round < 20; round += 1) {
          await Promise.all(
            [...waiting].map(async (of) => {
              const outcome = await send(provider, pushTo(of));
              if (outcome.kind === 'taken') waiting.delete(of);
              else lost += 1;
              expect(outcome).toEqual({
                kind: outcome.kind === 'taken' ? 'taken' : 'later',
                ...reasonIn(outcome),
              });
            }),
          );
        }
        expect(waiting.size).toBe(0);
        expect(lost).toBeGreaterThan(0);
        expect(new Set(at.taken.map(({ token }) => token)).size).toBe(500);
      },
    );

    test('then a server that is not there, and one that comes back, are noticed', async () => {
      const at = await bench();
      const provider = providerOf(at);
      await send(provider);
      at.server.dropConnections();
      expect(['taken', 'later']).toContain((await send(provider)).kind);
      expect(await send(provider)).toEqual({ kind: 'taken' });
      const nowhere = providerOf(at, { url: `https://127.0.0.1:${await freePort()}`, requestMs: 2_000 });
      expect(await send(nowhere)).toEqual({ kind: 'later', reason: 'ConnectionClosed' });
    });

    test('then a server that nobody vouches for gets nothing', async () => {
      const at = await bench();
      const other = await bench();
      const provider = providerOf(other, { url: at.server.url, requestMs: 2_000 });
      expect((await send(provider)).kind).toBe('later');
      expect(at.taken).toEqual([]);
    });

    test('then one that accepts connections and says nothing is given up at the time limit', async () => {
      const at = await bench();
      const sockets = new Set<{ destroy(): void }>();
      const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const provider = providerOf(at, { url: `https://127.0.0.1:${port}`, requestMs });
      expect((await send(provider)).kind).toBe('later');
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
  });

  describe(`When the service stops while ${service} has pushes`, () => {
    test('then each ends at once, to be tried again', async () => {
      const at = await bench();
      const provider = providerOf(at, { requestMs: 20_000 });
      await send(provider, pushTo(1));
      at.conduct = () => ({ kind: 'hang' });
      const stopping = new AbortController();
      const pending = send(provider, pushTo(2), stopping.signal);
      await sleep(50);
      stopping.abort();
      expect(await pending).toEqual({ kind: 'later', reason: 'Stopped' });
      const atClose = send(provider, pushTo(3));
      await sleep(50);
      await provider.close();
      expect((await atClose).kind).toBe('later');
      expect((await send(provider, pushTo(4))).kind).toBe('later');
      await expect.poll(() => at.server.connections(), { timeout: 10_000 }).toBe(0);
    });
  });
}

/** A push to the device of a number. */
export const pushTo = (n: number): Push => ({
  id: `11111111-2222-5333-8444-${String(n).padStart(12, '0')}`,
  token: n.toString(16).padStart(64, '0'),
  title: 'Title',
  message: 'Message',
  json: '{"n":1}',
  collapseKey: '42',
});

const reasonIn = (outcome: PushOutcome) => ('reason' in outcome ? { reason: outcome.reason } : {});
