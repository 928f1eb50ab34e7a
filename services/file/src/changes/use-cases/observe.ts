import { createHash } from 'node:crypto';
import type { Outbox } from '@portal/service-kit';
import type { Change } from '../../files/data/changes.ts';
import { type Concern, type Concerned, concerns, findConcerned } from '../data/concerned.ts';
import { findStanding } from '../data/standing.ts';
import { type AskedChange, bytesToCome, isTimed } from '../domain/asked-change.ts';
import { type Delivered, type FoundStanding, outcomeOf, stageOf, stateOf } from '../domain/outcome.ts';

/** The effect of a change on those who get the file. */
export interface Effect extends Record<Concern, Concerned> {
  readonly had: Delivered;
  readonly has: Delivered;
  /** What will be sent. */
  readonly bytes: number;
  readonly before: FoundStanding;
  readonly after: FoundStanding;
  /** The same for the same effect: of the same people, on a file of which nothing has changed. */
  readonly hash: string;
}

/** Runs a change, and tells what has become different by it; with `named`, also the first people whom it concerns. */
export async function observe<T>(
  change: Change,
  asked: AskedChange,
  { named, now }: { readonly named: boolean; readonly now: Date },
  work: (change: Change) => Promise<T>,
): Promise<{ result: T; effect: Effect }> {
  const before = await findStanding(change, asked.fileId, now);
  const result = await work(change);
  const after = await findStanding(change, asked.fileId, now);
  return { result, effect: await effectOf(change, asked, { before, after, named, now }) };
}

/** As `observe` with names, and takes back what the change did: nobody hears of it. */
export async function rehearse(
  change: Change,
  asked: AskedChange,
  now: Date,
  work: (change: Change) => Promise<unknown>,
): Promise<Effect> {
  await change.db.$executeRaw`SAVEPOINT rehearsal`;
  try {
    const { effect } = await observe({ ...change, outbox: unheard }, asked, { named: true, now }, work);
    return effect;
  } finally {
    await change.db.$executeRaw`ROLLBACK TO SAVEPOINT rehearsal`;
  }
}

const unheard: Outbox = {
  append: () => '',
  flush: async () => undefined,
  appendRows: async () => undefined,
};

async function effectOf(
  change: Change,
  asked: AskedChange,
  { after, before, named, now }: { before: FoundStanding; after: FoundStanding; named: boolean; now: Date },
): Promise<Effect> {
  const { had, has } = outcomeOf(asked, before, after, now);
  const counted = await findConcerned(change, { had, has }, { named });
  const size =
    bytesToCome(asked) ?? (isTimed(asked) && after.updatePending ? after.reservedSize : after.currentSize);
  // Who comes out of stages, or is not in them yet, is sent an older version.
  const sizeOf = (version: number) => (version === has.version ? size : (after.sizes.get(version) ?? 0));
  const bytes = [counted.gains, counted.changes]
    .flatMap(({ sent }) => Object.entries(sent))
    .reduce((sum, [version, devices]) => sum + sizeOf(Number(version)) * devices, 0);
  // Of stages their state alone: who is in them moves on with every device.
  const bound =
    asked.what === 'rollout'
      ? [before.schedule?.version, stageOf(before.rollout)]
      : [stateOf(before), has.version, size, concerns.map((one) => counted[one].people)];
  const hash = createHash('sha256').update(JSON.stringify(bound)).digest('base64url');
  return { ...counted, had, has, bytes, before, after, hash };
}

/** An effect as people see it. */
export interface ShownEffect
  extends Record<Concern, { readonly users: number; readonly devices: number; readonly names: string[] }> {
  /** What will be sent. */
  readonly bytes: number;
}

/** Of one that was looked at with names. */
export function showEffect({ bytes, changes, gains, loses }: Effect): ShownEffect {
  const shown = ({ devices, names, users }: Concerned) => ({ users, devices, names: [...names] });
  return {
    gains: shown(gains),
    loses: shown(loses),
    changes: shown(changes),
    bytes,
  };
}
