import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { listCalendarEntries } from '../data/calendar-views.ts';
import type { CalendarEntry, CalendarKind } from '../domain/entry.ts';
import { type Period, requirePeriod } from '../domain/period.ts';

/** Throws `E40002` on `end`. */
export async function readCalendar(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  { kinds, ...period }: Period & { readonly kinds: readonly CalendarKind[] },
): Promise<{ entries: CalendarEntry[]; more: boolean }> {
  requirePeriod(period);
  return store.read(ofPartner(partnerId), async (db) =>
    listCalendarEntries(db, partnerId, { period, kinds }, clock.now()),
  );
}
