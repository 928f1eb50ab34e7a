import { calendarRoutes, type Language } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import { findPartner } from '../../copies/data/copies-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { listCalendarEntries } from '../data/calendar-views.ts';
import { calendarFile } from '../domain/calendar-file.ts';
import { periodOfFile } from '../domain/period.ts';

/** The calendar of a tenant for calendar programs, in its language. Where there is very much, what is ahead goes before what was. */
export async function writeCalendarFile(
  { clock, publicUrl, store }: Pick<Dependencies, 'clock' | 'store'> & { readonly publicUrl: string },
  partnerId: number,
): Promise<string> {
  const now = clock.now();
  const { end, start } = periodOfFile(now);
  // The ends of a period are in it.
  const before = new Date(now.getTime() - 1_000);
  const kinds = calendarRoutes.calendarKinds;
  return store.read(ofPartner(partnerId), async (db) => {
    const partner = await findPartner(db, partnerId);
    const ahead = await listCalendarEntries(db, partnerId, { kinds, period: { start: now, end } }, now);
    const past = ahead.more
      ? []
      : (await listCalendarEntries(db, partnerId, { kinds, period: { start, end: before }, last: true }, now))
          .entries;
    return calendarFile([...past, ...ahead.entries], {
      company: partner?.name ?? '',
      language: languageOf(partner?.lang),
      now,
      publicUrl,
    });
  });
}

const languageOf = (lang: string | undefined): Language => (lang === 'en' ? 'en' : 'ja');
