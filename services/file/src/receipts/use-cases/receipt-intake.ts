import { fileEvents, limits } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { reachOf, type Told } from '../data/reach-repository.ts';
import { takeSteps } from '../data/receipt-repository.ts';
import type { Step } from '../domain/steps.ts';

export interface Receipt extends Told, Step {
  readonly version: number;
}

/**
 * Takes in receipts. Those of a tenant that come while others are being written are written together, by one transaction: what a
 * device pays for is a share of it.
 */
export interface ReceiptIntake {
  /**
   * Resolves when it is written.
   * @throws AppError `E40405` for a file that this device never was to have; `E40002` on `at` or `version`; `E50301` while no event
   * has told of the device
   */
  take(partnerId: number, receipt: Receipt): Promise<void>;
}

interface Waiting {
  readonly receipt: Receipt;
  readonly settle: (refusal: unknown) => void;
}

const mostAtOnce = 500;

export function createReceiptIntake({ clock, store }: Pick<Dependencies, 'clock' | 'store'>): ReceiptIntake {
  const queues = new Map<number, Waiting[]>();
  const running = new Set<number>();

  /** Until nothing waits; one transaction after the other. */
  async function drain(partnerId: number): Promise<void> {
    for (;;) {
      const batch = queues.get(partnerId)?.splice(0, mostAtOnce) ?? [];
      if (batch.length === 0) {
        queues.delete(partnerId);
        running.delete(partnerId);
        return;
      }
      try {
        const refusals = await write(
          partnerId,
          batch.map(({ receipt }) => receipt),
        );
        for (const [index, { settle }] of batch.entries()) settle(refusals[index]);
      } catch (error) {
        for (const { settle } of batch) settle(error);
      }
    }
  }

  /** Answers why each was refused; undefined where it was not. */
  async function write(partnerId: number, receipts: readonly Receipt[]): Promise<(AppError | undefined)[]> {
    const now = clock.now();
    return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
      const reaches = await reachOf(db, partnerId, receipts, now);
      const refusals: (AppError | undefined)[] = [];
      const taken = receipts.flatMap((receipt, index) => {
        const reach = reaches[index];
        const refusal = refusalOf(receipt, reach, now);
        refusals.push(refusal);
        if (refusal || !reach || reach.deviceId === null) return [];
        const { userId: _user, uuid: _uuid, ...step } = receipt;
        return [{ ...step, deviceId: reach.deviceId }];
      });
      const byDevice = new Map(reaches.map(({ deviceId }, index) => [deviceId, receipts[index]]));
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
  }

  return {
    async take(partnerId, receipt) {
      await new Promise<void>((resolve, reject) => {
        const settle = (refusal: unknown) => (refusal === undefined ? resolve() : reject(refusal as Error));
        const queue = queues.get(partnerId) ?? [];
        queues.set(partnerId, queue);
        queue.push({ receipt, settle });
        if (running.has(partnerId)) return;
        running.add(partnerId);
        void drain(partnerId);
      });
    },
  };
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
