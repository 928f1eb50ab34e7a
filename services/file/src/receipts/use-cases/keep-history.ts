import { AppError } from '@portal/kernel';
import { type JobRun, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { DeliveryNumbers } from '../data/delivery-numbers.ts';
import { keepPoint, takeChanged } from '../data/history-repository.ts';
import type { Point } from '../domain/history.ts';
import { getDelivery } from './get-delivery.ts';

/** Of so many files the numbers are kept at once; what is left has its turn at the next run. */
const batch = 200;

/**
 * Keeps the numbers of each file of which something was told, for the chart of its delivery. What is late, or lost with an instance
 * that ended, is missing in the chart alone until something is told again: its last point is counted when it is asked for.
 */
export async function keepHistory(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { scope }: JobRun,
): Promise<void> {
  const changed = await store.write(scope, async ({ db }) => takeChanged(db, batch));
  for (const file of changed) {
    const delivery = await getDelivery({ clock, store }, file, 'en').catch((error: unknown) => {
      // It is gone by now.
      if (error instanceof AppError) return undefined;
      throw error;
    });
    if (!delivery || delivery.versions.length === 0) continue;
    await store.write(ofPartner(file.partnerId), async ({ db }) => {
      for (const { version, ...numbers } of delivery.versions) {
        await keepPoint(db, { ...file, version }, pointOf(numbers, clock.now()));
      }
    });
  }
}

/** What a chart shows of the numbers. */
export const pointOf = ({ states, targeted }: DeliveryNumbers, at: Date): Point => ({
  at,
  devices: targeted.devices,
  installed: states.installed,
  onTheWay: states.downloading + states.downloaded,
  failed: states.failed,
});
