import { type FieldMessageKey, limits } from '@portal/contracts';

/** Times are UTC texts, empty for none. */
export interface Reservations {
  readonly deliverAt: string;
  readonly updateAt: string;
}

interface ReservationContext {
  /** What is stored now. */
  readonly before: Reservations;
  /** An update waits for its time already. */
  readonly updatePending: boolean;
  /** A file for the update was chosen. */
  readonly withUpdateFile: boolean;
  readonly now: Date;
}

function aheadFault(time: string, now: Date, past: FieldMessageKey): FieldMessageKey | undefined {
  const at = new Date(time).getTime();
  if (at < now.getTime()) return past;
  // Times are whole seconds; ten minutes from this second on are ahead enough.
  const thisSecond = Math.floor(now.getTime() / 1000) * 1000;
  return at < thisSecond + limits.reservationLeadTime ? 'reservationTooSoon' : undefined;
}

/**
 * What is wrong with the reservations of a file that exists; it is told under the update's time. A time that stays as it
 * is may be near or past, as the server sees it too.
 */
export function reservationFault(
  { deliverAt, updateAt }: Reservations,
  { before, updatePending, withUpdateFile, now }: ReservationContext,
): FieldMessageKey | undefined {
  const reservesUpdate = withUpdateFile || updatePending;
  if (reservesUpdate && updateAt === '') return 'required';
  if (deliverAt !== '' && updateAt !== '' && new Date(updateAt) < new Date(deliverAt))
    return 'updateBeforeDeliver';
  if (updateAt !== '' && !(updatePending && updateAt === before.updateAt)) {
    const fault = aheadFault(updateAt, now, 'updatePast');
    if (fault) return fault;
  }
  return deliverAt !== '' && deliverAt !== before.deliverAt
    ? aheadFault(deliverAt, now, 'deliverPast')
    : undefined;
}
