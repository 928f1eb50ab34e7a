import { DayEntries } from './day-entries.tsx';
import type { ShownProps } from './month-view.tsx';

/** The days of a month on which something is. */
export function ListView({ days, entries, onMove, onOpen }: ShownProps) {
  return days.flatMap((day) => {
    const ofDay = entries.get(day);
    return ofDay ? [<DayEntries key={day} day={day} entries={ofDay} onOpen={onOpen} onMove={onMove} />] : [];
  });
}
