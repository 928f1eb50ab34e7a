import { fileEvents, limits } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { reachOf, type Told } from '../data/reach-repository.ts';
import { noteSeen, takeSteps } from '../data/receipt-repository.ts';
import type { Step } from '../domain/steps.ts';
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
   * @throws AppError `E40405` for a file that this device never was to have; `E40002` on `at` or `version`; `E50301` while no event
   * has told of the device
   */
  take(partnerId: number, receipt: Receipt): Promise<void>;
  /** Notes that the device has seen these versions. */
  show(partnerId: number, shown: Shown): Promise<void>;
}

export function createReceiptIntake({ clock, store }: Pick<Dependencies, 'clock' | 'store'>): ReceiptIntake {
  const take = createTenantBatches<Receipt>(async (partnerId, receipts) => {
    const now = clock.now();
    return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
      const reaches = await reachOf(db, partnerId, receipts, now);
      const refusals = receipts.map((receipt, index) => refusalOf(receipt, reaches[index], now));
      const byDevice = new Map(reaches.map(({ deviceId }, index) => [deviceId, receipts[index]]));
      const taken = receipts.flatMap((receipt, index) => {
        const deviceId = reaches[index]?.deviceId ?? null;
        if (refusals[index] || deviceId === null) return [];
        const { userId: _user, uuid: _uuid, ...step } = receipt;
        return [{ ...step, deviceId }];
      });
      for (const { deviceId, fileId, step, version } of await takeSteps(db, partnerId, taken)) {
        const device = byDevice.get(deviceId);
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
      ),
    );
    return [];
  });

  return { take, show };
}

function refusalOf(
  receipt: Receipt,
  reach: { deviceId: number | null; isKnown: boolean; version: number } | undefined,
  now: Date,
): AppError | undefined {
  if (receipt.at.getTime() > now.getTime() + limits.receiptClockSkew) {
    return fieldError('E40002', 'at', 'invalidValue');
  }
  // The event of its sign-in arrives within moments.
  if (!reach || reach.deviceId === null) return new AppError('E50301');
  if (!reach.isKnown) return new AppError('E40405');
  return receipt.version < 1 || receipt.version > reach.version
    ? fieldError('E40002', 'version', 'invalidValue')
    : undefined;
}
