import { setTimeout as sleep } from 'node:timers/promises';
import { send, signIn } from '@portal/testing/http-client';
import { expect } from 'vitest';
import type { DistributedHost } from './host.ts';

/** Simulated users: which of their calls were acknowledged, and how long these took. */
export interface Load {
  readonly groups: readonly { readonly id: number; readonly name: string }[];
  /** Ids of files whose data was taken. */
  readonly files: readonly number[];
  /** Tokens that were given. */
  readonly tokens: readonly string[];
  /** Calls that were not, by status; 0 is a broken connection. */
  readonly refusals: ReadonlyMap<number, number>;
  /** Milliseconds of each group that was made, with when it was. */
  readonly timings: readonly { readonly at: number; readonly ms: number }[];
  stop(): Promise<void>;
}

let loads = 0;

/** Writers of groups, of files' data, and people who sign in, until it is stopped. Each waits for its answer. */
export async function startLoad(host: DistributedHost): Promise<Load> {
  loads += 1;
  const round = loads;
  const token = await signIn(host, '1000', 'partner@example.com');
  const stopping = new AbortController();
  const groups: { id: number; name: string }[] = [];
  const files: number[] = [];
  const tokens: string[] = [];
  const timings: { at: number; ms: number }[] = [];
  const refusals = new Map<number, number>();

  async function repeat(
    pauseMs: number,
    work: (count: number) => Promise<{ status: number; done: () => void }>,
  ): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const { done, status } = await work(count).catch(() => ({ status: 0, done: () => undefined }));
      if (status === 200 || status === 201) done();
      else refusals.set(status, (refusals.get(status) ?? 0) + 1);
      await sleep(pauseMs);
    }
  }

  const makeGroups = (writer: number) =>
    repeat(10, async (count) => {
      const name = `Load ${round} writer ${writer} group ${count}`;
      const begun = performance.now();
      const { body, status } = await send(host, 'POST', '/v1/partner/partners/1/groups', {
        token,
        body: { name },
      });
      return {
        status,
        done: () => {
          groups.push({ id: Number(body['id']), name });
          timings.push({ at: begun, ms: performance.now() - begun });
        },
      };
    });
  const makeFiles = () =>
    repeat(40, async (count) => {
      const name = `Load ${round} file ${count}`;
      const { body, status } = await send(host, 'POST', '/v2/partner/partners/1/files', {
        token,
        body: { name, file_name: `load-${round}-${count}.uap`, file_size: 10 },
      });
      const done = () => files.push(Number(body['id']));
      // A tenant has a number of uploads open at most; what stays of a file is its row.
      if (status === 201) {
        await send(host, 'DELETE', `/v1/uploads/${body['uploadId']}`, { token }).catch(() => undefined);
      }
      return { status, done };
    });
  const signInAgain = () =>
    repeat(200, async () => {
      const { body, status } = await send(host, 'POST', '/v2/partner/login', {
        body: { partner_code: '1000', email: 'partner@example.com', password: 'Passw0rd-demo' },
      });
      return { status, done: () => tokens.push(String(body['accessToken'])) };
    });

  const workers = [makeGroups(1), makeGroups(2), makeFiles(), signInAgain()];
  return {
    groups,
    files,
    tokens,
    timings,
    refusals,
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

const patience = { timeout: 60_000, interval: 250 };
const services = ['identity', 'tenant', 'user', 'file'] as const;

/** Nothing acknowledged is lost, no event is lost, and nothing happened twice. */
export async function expectWhole(host: DistributedHost, load: Load): Promise<void> {
  const stored = await host.query<{ id: number; name: string }>('user', 'SELECT id, name FROM groups');
  const names = new Map(stored.map(({ id, name }) => [id, name]));
  expect(load.groups.filter(({ id, name }) => names.get(id) !== name)).toEqual([]);
  const copies = async () =>
    (await host.query<{ id: number }>('file', 'SELECT group_id AS id FROM groups ORDER BY 1')).map(
      ({ id }) => id,
    );
  const all = [...names.keys()].sort((a, b) => a - b);
  await expect.poll(copies, patience).toEqual(all);

  const files = new Set(
    (await host.query<{ id: number }>('file', 'SELECT id FROM files')).map(({ id }) => id),
  );
  expect(load.files.filter((id) => !files.has(id))).toEqual([]);

  for (const token of load.tokens) {
    const { status } = await send(host, 'GET', '/v1/partner/partners/1/groups?per_page=10', { token });
    expect(status).toBe(200);
  }

  for (const service of services) {
    const waiting = async () =>
      host.query(
        service,
        `SELECT 'outbox' AS place, envelope ->> 'type' AS type FROM messaging.outbox
         UNION ALL SELECT status::text, handler FROM messaging.inbox WHERE status <> 'done'`,
      );
    await expect.poll(waiting, patience).toEqual([]);
  }
  expect((await loggedGroups(host)).filter(({ times }) => times !== 1)).toEqual([]);
}

/** How often the operation log tells of the making of each group. */
export async function loggedGroups(host: DistributedHost): Promise<{ id: number; times: number }[]> {
  return host.query(
    'batch',
    `SELECT target_ids[1] AS id, count(*)::integer AS times FROM logs.operation_logs
     WHERE operation = 'createGroup' AND result = '201' GROUP BY id`,
  );
}

/** The time that all but five of a hundred took, of those begun between two moments; milliseconds. */
export function p95(load: Load, from: number, to: number): number {
  const within = load.timings.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
  const sorted = within.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}
