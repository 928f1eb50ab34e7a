import { limits } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, fieldError } from '@portal/kernel';
import { type DirectTransaction, ofPartner, type SendingTransaction } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';
import { beginChange, type Change } from '../../files/data/changes.ts';
import { rolloutsOfNumbers, type StoredRollout } from '../../rollouts/data/rollout-repository.ts';
import { placeOf, turnOf } from '../../rollouts/domain/place.ts';
import { wasReached } from '../../rollouts/domain/plan.ts';
import { deliveryLock, lockDelivery } from '../data/audience-repository.ts';
import { type Early, keepEarly } from '../data/early-repository.ts';
import { type Reach, reachOf, type Told } from '../data/reach-repository.ts';
import { noteSeen } from '../data/receipt-repository.ts';
import { keyOf, type Stands } from '../data/standing.ts';
import type { Step } from '../domain/steps.ts';
import { type ToldByDevice, takeReceived } from './take-received.ts';
import { createTenantBatches, type Refusal } from './tenant-batches.ts';

export interface Receipt extends Told, Step {}

/** A version that an answer to a device held. */
export interface Shown {
  readonly userId: number;
  readonly uuid: string;
  readonly files: readonly { readonly fileId: number; readonly version: number }[];
}

/** Takes in what players tell, and what they are shown; much at once is written together. */
export interface ReceiptIntake {
  /**
   * Resolves when it is written.
   * @throws AppError `E40405` for a file that this device never was to have; `E40002` on `at` or `version`
   */
  take(partnerId: number, receipt: Receipt): Promise<void>;
  /** Notes that the device has seen these versions. */
  show(partnerId: number, shown: Shown): Promise<void>;
}

/** What was told changes what players get: it is to be taken in as a change of its tenant or, of an application, of the operator. */
class ChangesDelivery extends Error {
  readonly owner: number;

  constructor(owner: number) {
    super('A receipt changes what players get');
    this.owner = owner;
  }
}

export function createReceiptIntake({
  allTenants,
  clock,
  direct,
  store,
  watch,
}: Pick<Dependencies, 'clock' | 'direct' | 'store' | 'watch'> & {
  /** For a receipt that changes an application. */
  readonly allTenants: Scope;
}): ReceiptIntake {
  /** Takes in what a batch tells, under `lockDelivery`. */
  async function takeAll(
    { db, outbox, send }: DirectTransaction & Partial<Pick<SendingTransaction, 'send'>>,
    partnerId: number,
    receipts: readonly Receipt[],
    changes: ReadonlyMap<number, Change>,
  ): Promise<readonly Refusal[]> {
    const now = clock.now();
    const reaches = await reachOf(db, partnerId, receipts, now);
    const staged = receipts.filter((_receipt, index) => reaches[index]?.isStaged);
    const rollouts = await rolloutsOfNumbers(db, partnerId, staged, now);
    const refusals = receipts.map((receipt, index) => refusalOf(receipt, reaches[index], rollouts, now));
    const told: ToldByDevice[] = [];
    const early: Early[] = [];
    const standing = new Map<string, Stands>();
    for (const [index, { fileId, userId, uuid, version, ...step }] of receipts.entries()) {
      const reach = reaches[index];
      if (refusals[index] || !reach) continue;
      const { deviceId } = reach;
      if (deviceId === null) {
        early.push({ userId, uuid, fileId, version, at: step.at, step });
        continue;
      }
      told.push({ userId, uuid, fileId, version, step, deviceId });
      standing.set(keyOf({ fileId, version, deviceId }), reach.stands);
    }
    const changeOf = async (owner: number) => {
      const change = changes.get(owner);
      if (!change) throw new ChangesDelivery(owner);
      return change;
    };
    await takeReceived({ db, outbox, ...(send && { send }), partnerId, now, changeOf }, told, {
      rollouts,
      standing,
    });
    await keepEarly(db, partnerId, early, now);
    return refusals;
  }

  /** `owners`: whose changes it may be, in the order in which everybody takes their locks. */
  async function takeAsChange(
    partnerId: number,
    receipts: readonly Receipt[],
    owners: readonly number[],
  ): Promise<readonly Refusal[]> {
    return store.write(owners.includes(operator) ? allTenants : ofPartner(partnerId), async (tx) => {
      // In this order everywhere: who changes what players get waits for others that do, and only then for what is counted.
      const changes = new Map<number, Change>();
      for (const owner of owners) changes.set(owner, await beginChange(tx, owner));
      await lockDelivery(tx.db, [partnerId]);
      return takeAll(tx, partnerId, receipts, changes);
    });
  }

  async function takeAs(
    partnerId: number,
    receipts: readonly Receipt[],
    owners: readonly number[],
    onSent?: () => void,
  ): Promise<readonly Refusal[]> {
    try {
      if (owners.length > 0) return await takeAsChange(partnerId, receipts, owners);
      // Before the devices are looked up: the event of one that is not there yet waits until what it told is kept.
      return await direct.write(
        ofPartner(partnerId),
        deliveryLock(partnerId),
        async (tx) => takeAll(tx, partnerId, receipts, new Map()),
        onSent,
      );
    } catch (error) {
      if (!(error instanceof ChangesDelivery) || owners.includes(error.owner)) throw error;
      // The operator's lock comes last.
      const more = error.owner === operator ? [...owners, operator] : [error.owner, ...owners];
      return await takeAs(partnerId, receipts, more);
    } finally {
      for (const owner of owners) watch.forget(owner);
    }
  }

  const take = createTenantBatches<Receipt>(async (partnerId, receipts, onSent) =>
    takeAs(partnerId, receipts, [], onSent),
  );

  const show = createTenantBatches<Shown>(async (partnerId, shown) => {
    const at = clock.now();
    await store.write(ofPartner(partnerId), async ({ db }) =>
      noteSeen(
        db,
        partnerId,
        shown.flatMap(({ files, userId, uuid }) => files.map((file) => ({ ...file, userId, uuid, at }))),
        at,
      ),
    );
    return [];
  });

  return { take, show };
}

function refusalOf(
  receipt: Receipt,
  reach: Reach | undefined,
  rollouts: readonly StoredRollout[],
  now: Date,
): AppError | undefined {
  if (receipt.at.getTime() > now.getTime() + limits.receiptClockSkew) {
    return fieldError('E40002', 'at', 'invalidValue');
  }
  if (!reach?.isKnown) return new AppError('E40405');
  const { fileId, uuid, version } = receipt;
  if (version < 1 || version > reach.version) return fieldError('E40002', 'version', 'invalidValue');
  const rollout = rollouts.find((one) => one.fileId === fileId && one.version === version);
  if (!rollout || reach.hadVersion) return undefined;
  const who = { groupIds: reach.groupIds, place: placeOf(uuid) };
  // Halted since or not: what it was to have it may tell of.
  return wasReached({ rollout, turn: turnOf(rollout) }, who)
    ? undefined
    : fieldError('E40002', 'version', 'invalidValue');
}
