import { limits } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { lockDelivery } from '../data/audience-repository.ts';
import { keepEarly } from '../data/early-repository.ts';
import { reachOf, type Told } from '../data/reach-repository.ts';
import { noteSeen } from '../data/receipt-repository.ts';
import type { Step } from '../domain/steps.ts';
import { takeReceived } from './take-received.ts';
import { createTenantBatches } from './tenant-batches.ts';

export interface Receipt extends Told, Step {
  readonly version: number;
}

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

export function createReceiptIntake({ clock, store }: Pick<Dependencies, 'clock' | 'store'>): ReceiptIntake {
  const take = createTenantBatches<Receipt>(async (partnerId, receipts) => {
    const now = clock.now();
    return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
      // Before the devices are looked up: the event of one that is not there yet waits until what it told is kept.
      await lockDelivery(db, [partnerId]);
      const reaches = await reachOf(db, partnerId, receipts, now);
      const refusals = receipts.map((receipt, index) => refusalOf(receipt, reaches[index], now));
      const taken = receipts.flatMap((receipt, index) => {
        if (refusals[index]) return [];
        const { fileId, userId, uuid, version, ...step } = receipt;
        return [
          { userId, uuid, fileId, version, at: step.at, step, deviceId: reaches[index]?.deviceId ?? null },
        ];
      });
      await takeReceived(
        { db, outbox },
        partnerId,
        taken.flatMap(({ deviceId, ...one }) => (deviceId === null ? [] : [{ ...one, deviceId }])),
      );
      await keepEarly(
        db,
        partnerId,
        taken.filter(({ deviceId }) => deviceId === null),
        now,
      );
      return refusals;
    });
  });

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
  reach: { isKnown: boolean; version: number } | undefined,
  now: Date,
): AppError | undefined {
  if (receipt.at.getTime() > now.getTime() + limits.receiptClockSkew) {
    return fieldError('E40002', 'at', 'invalidValue');
  }
  if (!reach?.isKnown) return new AppError('E40405');
  return receipt.version < 1 || receipt.version > reach.version
    ? fieldError('E40002', 'version', 'invalidValue')
    : undefined;
}
