import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { takes } from '../../../lib/list/filter-values.ts';
import { type Day, dayOf, readDay, type View, views } from './calendar-days.ts';
import { kinds } from './entries.ts';

const ofKinds = { someOf: kinds };

export interface CalendarState {
  readonly view: View;
  readonly day: Day;
  /** Those that are shown, by comma; empty for all. */
  readonly kind: string;
  setView(view: View): void;
  setDay(day: Day): void;
  setKind(kind: string): void;
}

/** What the calendar shows, kept in the address: a reload, a bookmark and the back button show the same. */
export function useCalendarState(): CalendarState {
  const [address, setAddress] = useSearchParams();
  return useMemo(() => {
    const today = dayOf(new Date());
    const kind = address.get('kind') ?? '';
    const write = (name: string, value: string) =>
      setAddress(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { preventScrollReset: true },
      );
    return {
      view: views.find((view) => view === address.get('view')) ?? 'month',
      day: readDay(address.get('day')) ?? today,
      kind: kind !== '' && takes(ofKinds, kind) ? kind : '',
      setView: (view) => write('view', view === 'month' ? '' : view),
      setDay: (day) => write('day', day === today ? '' : day),
      setKind: (value) => write('kind', value),
    };
  }, [address, setAddress]);
}
