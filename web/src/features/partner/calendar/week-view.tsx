import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import { type Day, dayOf, onDay } from './calendar-days.ts';
import { DayEntries } from './day-entries.tsx';
import { type Entry, keyOf } from './entries.ts';
import { dropOf, EntryButton } from './entry-button.tsx';
import type { ShownProps } from './month-view.tsx';
import { useCalendarFormat } from './use-calendar-format.ts';
import type { Moving } from './use-moving.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** An hour of a day that has all of them: where the clock is put forward, one is missing. */
const plainHour = (hour: number) => new Date(2026, 0, 15, hour);
/** Where the week begins to be seen: few deliver at night. */
const firstSeen = 7;
const none: readonly Entry[] = [];

/** A week by hours; where there is no room for that, day by day. */
export function WeekView(props: ShownProps) {
  const isWide = useMediaQuery('(min-width: 48rem)');
  if (isWide) return <HourTable {...props} />;
  const { days, entries, onMove, onOpen } = props;
  return days.map((day) => (
    <DayEntries key={day} day={day} entries={entries.get(day) ?? none} onOpen={onOpen} onMove={onMove} />
  ));
}

function HourTable({ days, entries, moving, onOpen }: ShownProps) {
  const { t } = useTranslation('calendar');
  const { timeOfDay } = useFormat();
  const { dayName, weekdayName } = useCalendarFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const firstRow = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Not into view as a whole: the page stays where it is.
    if (scroller.current && firstRow.current) scroller.current.scrollTop = firstRow.current.offsetTop - 40;
  }, []);
  const today = dayOf(new Date());
  return (
    // It scrolls by keyboard as well.
    <chakra.div
      ref={scroller}
      position="relative"
      maxH="38rem"
      overflow="auto"
      tabIndex={0}
      role="region"
      aria-label={t('title')}
    >
      <chakra.table
        aria-label={t('title')}
        w="full"
        css={{
          tableLayout: 'fixed',
          borderCollapse: 'separate',
          borderSpacing: '0',
          '& thead th': {
            position: 'sticky',
            top: '0',
            zIndex: 'sticky',
            bg: 'bg.panel',
            borderBottomWidth: '1px',
          },
          '& th': { py: '1.5', fontSize: 'xs', fontWeight: 'medium', color: 'fg.muted', textAlign: 'center' },
          '& tbody th': { verticalAlign: 'top', pt: '1', fontVariantNumeric: 'tabular-nums' },
          '& td': {
            borderTopWidth: '1px',
            borderInlineStartWidth: '1px',
            verticalAlign: 'top',
            p: '1',
            h: '2.75rem',
          },
        }}
      >
        <thead>
          <tr>
            <chakra.td
              w="4rem"
              css={{
                '&&': { borderWidth: '0', position: 'sticky', top: '0', bg: 'bg.panel', zIndex: 'sticky' },
              }}
            />
            {days.map((day) => (
              <th
                key={day}
                scope="col"
                aria-label={dayName(day)}
                aria-current={day === today ? 'date' : undefined}
              >
                <chakra.span
                  px="2"
                  py="0.5"
                  borderRadius="full"
                  color={day === today ? 'accent.contrast' : undefined}
                  bg={day === today ? 'accent.solid' : undefined}
                >
                  {weekdayName(day)} {Number(day.slice(8))}
                </chakra.span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour} ref={hour === firstSeen ? firstRow : undefined}>
              <th scope="row">{timeOfDay(plainHour(hour))}</th>
              {days.map((day) => (
                <HourCell
                  key={day}
                  day={day}
                  hour={hour}
                  entries={(entries.get(day) ?? none).filter(({ at }) => new Date(at).getHours() === hour)}
                  moving={moving}
                  onOpen={onOpen}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}

interface HourCellProps {
  day: Day;
  hour: number;
  entries: readonly Entry[];
  moving: Moving;
  onOpen: (entry: Entry) => void;
}

function HourCell({ day, entries, hour, moving, onOpen }: HourCellProps) {
  const { t } = useTranslation('calendar');
  const { momentName } = useCalendarFormat();
  const { held } = moving;
  const target = held && onDay(held.at, day, hour);
  const isTarget = held !== undefined && target?.getTime() === held.at.getTime();
  return (
    <chakra.td
      bg={isTarget ? 'accent.muted' : undefined}
      outline={isTarget ? '2px solid' : undefined}
      outlineColor="accent.focusRing"
      outlineOffset="-2px"
      {...dropOf((dragged) => moving.drop(day, hour, dragged))}
    >
      <Flex direction="column" gap="1" minW="0">
        {entries.map((entry) => (
          <EntryButton key={keyOf(entry)} entry={entry} moving={moving} onOpen={onOpen} />
        ))}
        {held && target && (
          <chakra.button
            type="button"
            aria-label={t('moveHere', { day: momentName(target) })}
            w="full"
            minH="6"
            borderRadius="sm"
            cursor="pointer"
            _hover={{ bg: 'accent.muted' }}
            onClick={() => moving.drop(day, hour)}
          />
        )}
      </Flex>
    </chakra.td>
  );
}
