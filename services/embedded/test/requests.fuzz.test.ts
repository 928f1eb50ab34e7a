import { admits, staysOpen } from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { freePort, type Product, startProduct } from '@portal/testing/product';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Attempt, makeAttempt } from './fuzz/attempt.ts';
import { type Answer, exchange, exchangeBytes, silentAfterMs } from './fuzz/exchange.ts';
import { Findings } from './fuzz/findings.ts';
import { type Held, memoryOf } from './fuzz/memory.ts';
import { faultsOf } from './fuzz/verdict.ts';
import { type Actor, createWorld, type World } from './fuzz/world.ts';

/**
 * Random requests to every route, by callers who may make them and callers who may not. `FUZZ_SEED` repeats a run,
 * `FUZZ_CASE` sends one request of it alone, `FUZZ_SECONDS` says how long it goes on.
 */

const seed = Number(process.env.FUZZ_SEED ?? Math.trunc(Date.now() / 1000) % 2 ** 31);
const seconds = Number(process.env.FUZZ_SECONDS ?? 75);
const only = process.env.FUZZ_CASE === undefined ? undefined : Number(process.env.FUZZ_CASE);

const slowMs = 500;
/** An answer that a machine with nothing to do gives in a millisecond or two. */
const calmMs = 50;
const yardstickMs = 20;
const hangsAfterMs = 15_000;
const inFlight = 4;
const maxGrowth = 60 * 1000 ** 2;

let product: Product;
let inspectorPort: number;
let world: World;

beforeAll(async () => {
  inspectorPort = await freePort();
  product = await startProduct({ LOG_LEVEL: 'error', NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` });
  world = await createWorld(product);
});
afterAll(() => product?.remove());

const passwordRoutes = /login$|password/i;

async function ask(attempt: Attempt): Promise<Answer> {
  const { actor, authorization, body, headers, method, path } = attempt;
  const credentials = authorization === 'own' ? `Bearer ${world.token(actor)}` : authorization?.text;
  return exchange({
    port: product.port,
    method,
    path,
    headers: { ...headers, ...(credentials === undefined ? {} : { authorization: credentials }) },
    body,
  });
}

/** Waits until what was asked before is done, as far as anybody can see from outside. */
async function calm(): Promise<void> {
  const end = performance.now() + hangsAfterMs;
  let answered = false;
  while (performance.now() < end) {
    const probe = { port: product.port, method: 'GET', path: '/healthz', headers: {}, body: undefined };
    const { ms } = await exchange(probe).catch(() => ({ ms: Number.POSITIVE_INFINITY }));
    if (ms < calmMs) return;
    answered ||= Number.isFinite(ms);
  }
  // A machine may be that busy.
  if (!answered) throw new Error(`The product does not answer any more:\n${product.output().slice(-2_000)}`);
}

/** How many times longer everything takes at this moment than on a machine with nothing else to do. */
function stretch(): number {
  const begun = performance.now();
  const before = process.cpuUsage();
  let used = 0;
  while (used < yardstickMs) {
    const { system, user } = process.cpuUsage(before);
    used = (system + user) / 1_000;
  }
  return Math.max(1, (performance.now() - begun) / used);
}

/** Slow is what is slow again, each time that it is tried alone, beyond what else the machine does. */
async function staysSlow(attempt: Attempt): Promise<boolean> {
  for (let again = 0; again < 3; again += 1) {
    await calm();
    const before = stretch();
    const { ms } = await ask(attempt).catch(() => ({ ms: silentAfterMs }));
    if (ms <= slowMs * Math.max(before, stretch())) return false;
  }
  return true;
}

interface Verdict {
  readonly faults: string[];
  readonly status: number;
  readonly slow: boolean;
  /** Who has to sign in again. */
  readonly signedOut?: Actor | undefined;
}

async function judge(attempt: Attempt): Promise<Verdict> {
  const { actor, authorization, direct, method, partnerId, route } = attempt;
  let answer: Answer;
  try {
    answer = await ask(attempt);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { faults: [`no answer: ${why}`], status: 0, slow: false };
  }
  const faults = faultsOf(answer, { method, mayBeBusy: passwordRoutes.test(route.path) });
  const caller = authorization === 'own' ? actor : 'nobody';
  const passed = direct && answer.status < 300;
  if (passed) {
    if (!world.mayCall(caller, route)) faults.push(`${caller} is let in`);
    if (partnerId !== undefined && world.partnerOf(caller, true) !== partnerId)
      faults.push("another tenant's id answers");
    if (answer.status === route.status) world.learn(route, partnerId, readJson(answer.text));
  }

  const changed = passed && /^change.*Password$/.test(route.id);
  if (changed) world.passwordOf(actor, passwordIn(attempt));
  const left = passed && /Logout$/.test(route.id);
  const refused = direct && answer.status === 401 && !admits(route, 'public') && world.mayCall(caller, route);
  const signedOut = changed || left || refused ? actor : undefined;
  return { faults, status: answer.status, slow: answer.ms > slowMs, signedOut };
}

function passwordIn({ body }: Attempt): string {
  const given = readJson(String(body));
  return typeof given === 'object' && given !== null && 'password' in given ? String(given.password) : '';
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Streams of events end with the session. */
const fuzzed = allRoutes.filter((route) => !staysOpen(route));

describe('When anything at all is asked', () => {
  test(
    'then each answer is quick, clear and tells nothing of the inside, and memory stays',
    async () => {
      console.log(`FUZZ_SEED=${seed}`);
      const findings = new Findings(seed);
      const begun = performance.now();
      let number = 0;
      let warm: Held | undefined;
      const batch = fc.asyncProperty(fc.gen(), async (g) => {
        const first = number;
        number += inFlight;
        const attempts = Array.from({ length: inFlight }, () => makeAttempt(g, fuzzed, world));
        const asked = only === undefined ? attempts : attempts.filter((_, index) => first + index === only);
        const verdicts = await Promise.all(asked.map(judge));
        // Not before all are answered: one may have changed the password that another would sign in with.
        const signedOut = new Set(verdicts.flatMap(({ signedOut: actor }) => actor ?? []));
        await Promise.all([...signedOut].map((actor) => world.signInAgain(actor)));
        for (const [index, { faults, slow, status }] of verdicts.entries()) {
          const attempt = asked[index] as Attempt;
          findings.add(attempt, only ?? first + index, status, faults);
          if (status === 0) await calm();
          if (slow && (await staysSlow(attempt)))
            findings.blame(attempt, only ?? first + index, ['it takes over 500 ms']);
        }
        const warmedUp = performance.now() - begun > (seconds * 1000) / 3;
        if (only === undefined && !warm && warmedUp) warm = await memoryOf(inspectorPort);
      });
      const numRuns = only === undefined ? 1_000_000 : Math.floor(only / inFlight) + 1;
      const options = { seed, numRuns, interruptAfterTimeLimit: seconds * 1000, endOnFailure: true };
      const { errorInstance: broken } = await fc.check(batch, options);
      console.log(findings.summary());
      expect(findings.report()).toBe('');
      if (broken instanceof Error) throw broken;
      const held = await memoryOf(inspectorPort);
      console.log(`Memory: ${JSON.stringify({ warm, held })}`);
      expect(product.output()).not.toMatch(/Request failed|Unhandled|not in the operation log/);
      if (warm) expect(held.used - warm.used).toBeLessThan(maxGrowth);
    },
    (seconds + 60) * 1000,
  );
});

describe('When the bytes of a request are', () => {
  const get = (more: string) =>
    `GET /v1/token/validate HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n\r\n`;
  const post = (more: string) =>
    `POST /v1/admin/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${more}`;

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a method that nobody knows', 'FOO / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['a version that nobody knows', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['a NUL in a header', get('x-odd: a\0b')],
    ['a header without a colon', get('odd')],
    ['a header too large', get(`x-odd: ${'o'.repeat(20_000)}`)],
    ['too many headers', get(Array.from({ length: 3_000 }, (_, index) => `x-${index}: 1`).join('\r\n'))],
    ['an address too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
    ['two lengths', post('content-length: 2\r\ncontent-length: 3\r\n\r\n{}')],
    ['a length and chunks', post('content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n')],
    ['a broken chunk', post('transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n')],
    ['a negative length', post('content-length: -1\r\n\r\n{}')],
    ['an encoding that nobody knows', post('transfer-encoding: odd\r\n\r\n{}')],
    ['an expectation that nobody meets', post('expect: odd\r\ncontent-length: 2\r\n\r\n{}')],
    ['an address that cannot be decoded', 'GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    [
      'an absolute address',
      'GET http://elsewhere.example/v1/token/validate HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    ],
  ])('%s, then it is a clear refusal', async (_, text) => {
    const answer = await exchangeBytes(product.port, Buffer.from(text, 'latin1'));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(faultsOf(answer, { method: 'GET', mayBeBusy: false })).toEqual([]);
  });
});
