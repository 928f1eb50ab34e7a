import { fileEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import { takeSteps } from '../data/receipt-repository.ts';
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

/** Takes in what devices of a tenant told, in the order in which it came, and tells others what has become of it. */
export async function takeReceived(
  { db, outbox }: Pick<Transaction<FileDb>, 'db' | 'outbox'>,
  partnerId: number,
  told: readonly ToldByDevice[],
): Promise<void> {
  if (told.length === 0) return;
  const byId = new Map(told.map((one) => [one.deviceId, one]));
  const steps = told.map(({ deviceId, fileId, step, version }) => ({ ...step, deviceId, fileId, version }));
  for (const { deviceId, fileId, step, version } of await takeSteps(db, partnerId, steps)) {
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
}
