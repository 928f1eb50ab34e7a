import type { Transfer } from '@portal/storage';
import type { Telemetry } from './telemetry.ts';

/** Counts the bytes that the storage handler moves. */
export function transferCounter({ meter }: Telemetry): (transfer: Transfer) => void {
  const counter = meter.createCounter('portal.storage.transfer', {
    description: 'Bytes of stored objects that were taken in or sent',
    unit: 'By',
  });
  return ({ bytes, direction }) => counter.add(bytes, { direction });
}
