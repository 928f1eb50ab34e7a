import { fileEvents } from '@portal/contracts';
import type { DirectTransaction, SendingTransaction } from '@portal/service-kit';
import type { Change } from '../../files/data/changes.ts';
import { findFile, touchFile } from '../../files/data/file-repository.ts';
import { holdShared, rolloutsOfNumbers, type StoredRollout } from '../../rollouts/data/rollout-repository.ts';
import { begunOf, isOverLimit } from '../../rollouts/domain/rollout.ts';
import { haltRollout } from '../../rollouts/use-cases/change-rollout.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import { type Received, takeSteps } from '../data/receipt-repository.ts';
import type { Standing } from '../data/standing.ts';
import type { Step } from '../domain/steps.ts';

/** What a device told of a version. */
export interface ToldByDevice {
  readonly deviceId: number;
  readonly userId: number;
  readonly uuid: string;
  readonly fileId: number;
  readonly version: number;
  readonly step: Step;
}

interface Taking extends DirectTransaction, Partial<Pick<SendingTransaction, 'send'>> {
  readonly partnerId: number;
  readonly now: Date;
  /**
   * Asked for where what is told changes what players get: a stage that failures halt, a version that is kept after a halt. Of an
   * application it is a change of the operator.
   */
  changeOf(partnerId: number): Promise<Change>;
}

/** What is known of the versions that are told of, read under `lockDelivery`. */
interface Known {
  readonly standing: Standing;
  readonly rollouts: readonly StoredRollout[];
}

/** Takes in what devices of a tenant told, in the order in which it came, and tells others what has become of it. */
export async function takeReceived(
  taking: Taking,
  told: readonly ToldByDevice[],
  known: Known,
): Promise<void> {
  if (told.length === 0) return;
  const { db, outbox, partnerId, send } = taking;
  const rollouts = await liveRollouts(taking, told, known.rollouts);
  const byId = new Map(told.map((one) => [one.deviceId, one]));
  const steps = told.map(({ deviceId, fileId, step, version }) => ({ ...step, deviceId, fileId, version }));
  const roundOf = (of: VersionOfFile) => {
    const rollout = rollouts.get(keyOf(of));
    return rollout && begunOf(rollout) > 0 ? rollout.round : null;
  };
  // What is written is looked at again only for rollouts: else it goes with the events and the commit.
  const received = await takeSteps(db, partnerId, steps, {
    standing: known.standing,
    roundOf,
    send: rollouts.size > 0 ? undefined : send,
  });
  for (const { deviceId, fileId, step, version } of received) {
    const device = byId.get(deviceId);
    if (!device) continue;
    outbox.append(fileEvents.fileReceived, {
      subject: fileId,
      partnerId,
      data: {
        fileId,
        version,
        userId: device.userId,
        deviceUuid: device.uuid,
        status: step.status,
        reason: step.reason,
        toldBy: step.toldBy,
      },
    });
  }
  if (rollouts.size > 0) await followRollouts(taking, rollouts, received);
}

interface VersionOfFile {
  readonly fileId: number;
  readonly version: number;
}

const keyOf = ({ fileId, version }: VersionOfFile): string => `${fileId} ${version}`;

/** The rollouts of what is told. A version that has gone live is written down first: what is counted refers to it. */
async function liveRollouts(
  { changeOf, db, now, partnerId }: Taking,
  told: readonly ToldByDevice[],
  rollouts: readonly StoredRollout[],
): Promise<Map<string, StoredRollout>> {
  const versions = new Set(told.map(keyOf));
  let found = rollouts.filter((rollout) => versions.has(keyOf(rollout)));
  // Others may have halted it while this one waited.
  if (await holdShared(db, found)) found = await rolloutsOfNumbers(db, partnerId, told, now);
  const unwritten = found.filter(({ isWritten }) => !isWritten);
  if (unwritten.length > 0) {
    for (const { fileId, partnerId: owner } of unwritten) {
      const change = await changeOf(owner);
      const file = await findFile(change.db, owner, fileId);
      if (file) await applyDueUpdate(change, file, now);
    }
    found = await rolloutsOfNumbers(db, partnerId, told, now);
  }
  return new Map(found.map((rollout) => [keyOf(rollout), rollout]));
}

/** Whether failures halt it: its limit is watched until the next version. */
const isWatched = ({ course, halt, state }: StoredRollout): boolean =>
  state === 'open' && halt !== null && course.liveUntil === null;

/** What becomes of stages by what was told. */
async function followRollouts(
  { changeOf, db, now, partnerId }: Taking,
  rollouts: ReadonlyMap<string, StoredRollout>,
  received: readonly Received[],
): Promise<void> {
  const kept = new Set<string>();
  const looked = new Map<string, StoredRollout>();
  for (const { before, fileId, step, version } of received) {
    const key = keyOf({ fileId, version });
    const rollout = rollouts.get(key);
    if (!rollout?.active) continue;
    if (step.status === 'installed' || before === 'installed') kept.add(key);
    if (kept.has(key) || isWatched(rollout)) looked.set(key, rollout);
  }
  // As they are now that this is counted in them: a halt came before that, and is seen here, or waits for it.
  const counted = await rolloutsOfNumbers(db, partnerId, [...looked.values()], now);
  const touched = new Map<number, number>();
  for (const rollout of counted) {
    // After a halt who has it installed keeps it, all others have the version before.
    if (rollout.active && rollout.state !== 'open' && kept.has(keyOf(rollout)))
      touched.set(rollout.fileId, rollout.partnerId);
  }
  for (const [id, owner] of touched) await touchFile(await changeOf(owner), id);
  for (const rollout of counted.filter((one) => isWatched(one) && isOverLimit(one, one))) {
    const change = await changeOf(rollout.partnerId);
    const file = await findFile(change.db, rollout.partnerId, rollout.fileId);
    if (!file) continue;
    await applyDueUpdate(change, file, now);
    await haltRollout(change, file, rollout, { by: null, now });
  }
}
