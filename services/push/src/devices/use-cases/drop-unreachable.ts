import type { DirectTransaction } from '@portal/service-kit';
import { dropTokens } from '../data/device-repository.ts';
import { tellUnreachable } from './tell-unreachable.ts';

/** Drops the push tokens that a provider does not know any more, unless their devices have told others since, and tells of it. */
export async function dropUnreachable(
  { db, outbox }: DirectTransaction,
  partnerId: number,
  devices: readonly { readonly uuid: string; readonly number: number; readonly reason: string }[],
): Promise<void> {
  const reasons = new Map(devices.map(({ reason, uuid }) => [uuid, reason]));
  for (const device of await dropTokens(db, partnerId, devices)) {
    tellUnreachable(outbox, device, reasons.get(device.uuid) ?? '');
  }
}
