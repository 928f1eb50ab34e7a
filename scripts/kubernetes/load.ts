import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../../bench/support/session.ts';
import { uploadFile } from '../../bench/support/upload.ts';
import { fileRoutes, userRoutes } from '../../packages/contracts/src/index.ts';

/** What people and players do all the time: at a steady pace with every failure kept, or as fast as it goes. */

export const kinds = ['login', 'list', 'update check', 'upload', 'group'] as const;
export type Kind = (typeof kinds)[number];

export interface Failure {
  readonly kind: Kind;
  readonly at: Date;
  readonly reason: string;
}

export interface LoadResult {
  /** How often each was done. */
  readonly done: Readonly<Record<Kind, number>>;
  /** Milliseconds of each, from the shortest. */
  readonly times: Readonly<Record<Kind, readonly number[]>>;
  readonly failures: readonly Failure[];
  /** What was made, by the ids of the answers. */
  readonly files: readonly number[];
  readonly groups: readonly number[];
}

export interface Load {
  /** Ends when what is under way has been answered. */
  stop(): Promise<LoadResult>;
}

/** Milliseconds between two of a kind. */
const pace: Readonly<Record<Kind, number>> = {
  login: 500,
  list: 200,
  'update check': 100,
  upload: 1_000,
  group: 1_000,
};
const uploadBytes = 64 * 1024;
let series = 0;

interface Acts {
  readonly act: Readonly<Record<Kind, (n: number) => Promise<unknown>>>;
  readonly files: readonly number[];
  readonly groups: readonly number[];
  end(): Promise<void>;
}

/** What each kind does, as people and players who signed in before. Nothing of it is tried a second time. */
async function signedIn(url: string): Promise<Acts> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-load-'));
  const path = join(folder, 'load.uap');
  await writeFile(path, Buffer.alloc(uploadBytes, 7));
  series += 1;
  const name = `load ${process.pid}-${series}`;
  const portal = await signIn(url, { partnerCode: '1000', user: 'partner@example.com' });
  const player = await signIn(url, {
    partnerCode: '1000',
    user: 'hanako@example.com',
    device: 'load-player',
  });
  const { cursor } = await player.api.call(fileRoutes.listDelivered, { query: { perPage: 100 } });
  const files: number[] = [];
  const groups: number[] = [];
  return {
    files,
    groups,
    end: () => rm(folder, { recursive: true }),
    act: {
      login: () => signIn(url, { partnerCode: '1000', user: 'taro', device: 'load-login' }),
      list: () => portal.api.call(fileRoutes.listFiles, { params: { pid: 1 }, query: { perPage: 20 } }),
      'update check': () => player.api.call(fileRoutes.listDelivered, { query: { since: cursor } }),
      upload: async (n) => {
        const file = { partnerId: 1, name: `${name}-${n}.uap`, path, size: uploadBytes };
        files.push((await uploadFile(portal.api, file)).id);
      },
      group: async (n) => {
        const { id } = await portal.api.call(userRoutes.createGroup, {
          params: { pid: 1 },
          body: { name: `${name}-${n}` },
        });
        groups.push(id);
      },
    },
  };
}

export async function startLoad(url: string): Promise<Load> {
  const { act, end, files, groups } = await signedIn(url);
  const done = perKind(() => 0);
  const times = perKind((): number[] => []);
  const failures: Failure[] = [];
  const stopping = new AbortController();
  const loops = kinds.map(async (kind) => {
    for (let n = 1; !stopping.signal.aborted; n += 1) {
      const begun = performance.now();
      try {
        await act[kind](n);
        times[kind].push(performance.now() - begun);
      } catch (error) {
        failures.push({ kind, at: new Date(), reason: reasonOf(error) });
      }
      done[kind] += 1;
      const rest = pace[kind] - (performance.now() - begun);
      if (rest > 0) await sleep(rest, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await end();
      for (const list of Object.values(times)) list.sort((a, b) => a - b);
      return { done, times, failures, files, groups };
    },
  };
}

export interface Rush {
  stop(): Promise<{ readonly done: number; readonly failed: number; readonly perSecond: number }>;
}

/** One kind alone, `atOnce` at a time and without a rest. */
export async function startRush(url: string, kind: Kind, atOnce: number): Promise<Rush> {
  const { act, end } = await signedIn(url);
  const begun = performance.now();
  let stopping = false;
  let done = 0;
  let failed = 0;
  const loops = Array.from({ length: atOnce }, async () => {
    while (!stopping) {
      done += 1;
      await act[kind](done).catch(() => {
        failed += 1;
      });
    }
  });
  return {
    async stop() {
      stopping = true;
      await Promise.all(loops);
      await end();
      return { done, failed, perSecond: (done / (performance.now() - begun)) * 1_000 };
    },
  };
}

function perKind<T>(make: () => T): Record<Kind, T> {
  return Object.fromEntries(kinds.map((kind) => [kind, make()])) as Record<Kind, T>;
}

/** One line of what was seen: how many of each, and how long the middle one and the longest took. */
export function toldOf({ done, failures, times }: LoadResult): string {
  const parts = kinds.map((kind) => {
    const list = times[kind];
    const at = (part: number) => Math.round(list[Math.floor((list.length - 1) * part)] ?? 0);
    return `${done[kind]} ${kind}s (${at(0.5)} ms, p99 ${at(0.99)}, longest ${at(1)})`;
  });
  return `${parts.join(', ')}; ${failures.length} failed`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} <- ${reasonOf(cause)}` : error.message;
}
