import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@portal/api-client';
import { connectPlayer, type DeliveredFile, type DownloadableFile, type Player } from '../player.ts';
import { createReceipts, type Receipts } from '../receipts.ts';
import type { Gate } from './gate.ts';
import { count, type Device, type FileState, type FleetNumbers, type Standing } from './numbers.ts';

export interface DeviceOptions {
  readonly url: string;
  readonly partnerCode: string;
  readonly password: string;
  /** Between two looks at what is delivered; each waits from half to one and a half as long. */
  readonly pollMs: number;
  /** How long installing takes. */
  readonly installMs: number;
  /** The share of versions that fail, and of time that a device is offline; from 0 to 1. */
  readonly fail: number;
  readonly offline: number;
}

interface Surroundings {
  readonly numbers: FleetNumbers;
  readonly fetch: typeof globalThis.fetch;
  /** How many of the fleet do this at once. */
  readonly signIns: Gate;
  readonly downloads: Gate;
  readonly signal: AbortSignal;
}

const reasons = ['No room on the device', 'The package could not be unpacked', 'The player is too old'];
const systems = [
  { osType: 'android', osVersion: '16' },
  { osType: 'ios', osVersion: '26.1' },
  { osType: 'windows', osVersion: '11' },
];
/** After a sign-in that came too often. */
const refusedForMs = 5_000;
/** How many looks long a device stays offline. */
const looksMissed = 4;

/** The life of a device, until `signal` aborts: it signs in, looks, takes what is new, tells of it, and is offline now and then. */
export async function playDevice(
  device: Device,
  options: DeviceOptions,
  { downloads, fetch, numbers, signIns, signal }: Surroundings,
): Promise<void> {
  const { fail, installMs, offline, pollMs } = options;
  const standing = new Map<number, Standing>();
  const goesOffline = offline / (looksMissed * (1 - offline));
  let session: { readonly player: Player; readonly receipts: Receipts; cursor?: string } | undefined;
  let wasSignedIn = false;
  const rest = async (ms: number) => sleep(ms * (0.5 + Math.random()), undefined, { signal });

  async function stayOffline(): Promise<void> {
    numbers.online -= 1;
    await rest(pollMs * looksMissed);
    numbers.online += 1;
  }

  async function become(
    file: Pick<DeliveredFile, 'id' | 'name' | 'version'>,
    state: FileState,
    reason?: string,
  ) {
    const { id, name, version } = file;
    // Before it is told: the portal may know of it before the answer is here.
    count(numbers, { id, name }, standing.get(id), { version, state });
    standing.set(id, { version, state });
    await session?.receipts.tell({ id, version }, state, reason === undefined ? {} : { reason });
    numbers.receipts += 1;
  }

  /** What is delivered now, or has changed since the last look. */
  async function look(): Promise<{ files: DeliveredFile[]; removedIds: number[] }> {
    if (!session) return { files: [], removedIds: [] };
    numbers.looks += 1;
    const { player } = session;
    if (session.cursor === undefined) {
      const { cursor, files } = await player.listFiles();
      session.cursor = cursor;
      const ids = new Set(files.map(({ id }) => id));
      return { files, removedIds: [...standing.keys()].filter((id) => !ids.has(id)) };
    }
    const files: DeliveredFile[] = [];
    const removedIds: number[] = [];
    for (let cursor = session.cursor; ; ) {
      const reply = await player.checkForUpdates(cursor);
      files.push(...reply.files);
      removedIds.push(...reply.removedIds);
      ({ cursor } = reply);
      if (reply.totalPage > 1) continue;
      session.cursor = cursor;
      return { files, removedIds };
    }
  }

  async function take({ downloadAfter, id, name, version }: DeliveredFile): Promise<void> {
    const known = standing.get(id);
    // A version that has failed fails again: a device waits for another one.
    if (
      !session ||
      (known?.version === version && known.state !== 'downloading' && known.state !== 'downloaded')
    )
      return;
    // Many get it at once, and each is told when to begin.
    if (known?.version !== version) await sleep(downloadAfter * 1_000, undefined, { signal });
    const opened = await session.player.openFile(id);
    const file = { id, name, version: opened.version };
    await become(file, 'downloading');
    if (Math.random() < goesOffline) await stayOffline();
    const badShare = await downloads(() => download(opened, numbers, signal));
    await become(file, 'downloaded');
    await rest(installMs);
    const luck = fractionOf(`${device.uuid} ${id} ${opened.version}`);
    if (luck >= Math.max(fail, badShare)) await become(file, 'installed');
    else await become(file, 'failed', reasons[Math.floor(luck * 1e6) % reasons.length]);
  }

  async function remove(id: number): Promise<void> {
    const known = standing.get(id);
    const name = numbers.files.get(id)?.name ?? '';
    if (!known) return;
    await become({ id, name, version: known.version }, 'removed');
    count(numbers, { id, name }, standing.get(id), undefined);
    standing.delete(id);
  }

  async function live(): Promise<void> {
    session ??= await signIns(async () => {
      const { partnerCode, password, url } = options;
      const { user, uuid } = device;
      const platform = { name: `Device ${uuid}`, ...systems[Math.floor(fractionOf(uuid) * systems.length)] };
      const player = await untilAdmitted(async () =>
        connectPlayer({ url, partnerCode, user, password, device: uuid, platform, fetch }),
      );
      return { player, receipts: createReceipts(player, { refused: trouble }) };
    });
    if (!wasSignedIn) {
      numbers.signedIn += 1;
      numbers.online += 1;
      wasSignedIn = true;
    }
    const { files, removedIds } = await look();
    try {
      for (const file of files) await take(file);
      for (const id of removedIds) await remove(id);
    } catch (error) {
      // What was not taken is among the files of the next look.
      delete session.cursor;
      throw error;
    }
    if (Math.random() < goesOffline) await stayOffline();
    await rest(pollMs);
  }

  /** All devices have one address here, and an address may sign in only so often: the others wait behind the gate meanwhile. */
  async function untilAdmitted<T>(signIn: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await signIn();
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 429)) throw error;
        await sleep(refusedForMs, undefined, { signal });
      }
    }
  }

  function trouble(message: string): void {
    numbers.troubles += 1;
    numbers.lastTrouble = message;
  }

  while (!signal.aborted) {
    try {
      await live();
    } catch (error) {
      if (signal.aborted) return;
      trouble(error instanceof Error ? error.message : String(error));
      if (error instanceof ApiError && error.status === 401) session = undefined;
      await rest(pollMs).catch(() => undefined);
    }
  }
}

/** Reads all bytes, and compares their hash. Answers on which share of devices installing fails, which bad packages say in their first line. */
async function download(file: DownloadableFile, numbers: FleetNumbers, signal: AbortSignal): Promise<number> {
  const response = await fetch(file.signedUrl, { signal });
  if (!response.ok || !response.body) throw new Error(`The download was refused: ${response.status}`);
  const hash = createHash('sha256');
  let first = '';
  for await (const chunk of response.body) {
    if (first === '') first = new TextDecoder().decode(chunk.subarray(0, 20));
    hash.update(chunk);
    numbers.bytes += chunk.length;
  }
  if (hash.digest('hex') !== file.sha256) throw new Error(`${file.fileName} did not arrive as it was sent`);
  numbers.downloads += 1;
  const [, share = '0'] = /^fail (0|1|0?\.\d+)\s/.exec(first) ?? [];
  return Number(share);
}

/** From 0 to 1, always the same for a text. */
const fractionOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
