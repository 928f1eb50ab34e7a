import type { ChangeKind, previewRoutes } from '@portal/contracts';
import type { z } from 'zod';

export type ChangeBody<W extends ChangeKind> = z.output<(typeof previewRoutes.changeBodies)[W]>;

/** A change of what people get of a file, as its call asks for it. */
export type AskedChange = {
  [W in ChangeKind]: {
    readonly what: W;
    readonly body: ChangeBody<W>;
    readonly fileId: number;
    /** The version that the call has brought, once its bytes are there. */
    readonly versionId?: number;
  };
}[ChangeKind];

/** The size of the version whose bytes are still to come; undefined where none is. */
export function bytesToCome(asked: AskedChange): number | undefined {
  if (asked.versionId !== undefined) return undefined;
  return asked.what === 'file' || asked.what === 'reservation' ? asked.body.fileSize : undefined;
}

/** Whether people get the version that it is about at a time of its own. */
export function isTimed(asked: AskedChange): boolean {
  return (
    asked.what === 'reservation' || (asked.what === 'restore' && asked.body.updateReservationAt !== undefined)
  );
}

/** The time of delivery that it sets; undefined where it sets none. */
export function deliveryTime(asked: AskedChange): Date | null | undefined {
  return asked.what === 'file' ? asked.body.deliverReservationAt : undefined;
}
