import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import { type Day, dayOf, isSameMonth } from './calendar-days.ts';
import { DayEntries } from './day-entries.tsx';
import { type Entry, keyOf, kindLooks } from './entries.ts';
import { dropOf, EntryButton } from './entry-button.tsx';
import { useCalendarFormat } from './use-calendar-format.ts';
import type { Moving } from './use-moving.ts';

export interface ShownProps {
  day: Day;
  days: readonly Day[];
  entries: ReadonlyMap<Day, readonly Entry[]>;
  moving: Moving;
  onOpen: (entry: Entry) => void;
  onMove: (entry: Entry) => void;
}

/** Entries of a day that its cell shows, if there are more. */
const mostInCell = 3;

const none: readonly Entry[] = [];

/** The weeks of a month. Where there is no room for entries, each day says how many it has and shows them below. */
export function MonthView({
  day,
  days,
  entries,
  moving,
  onDay,
  onMove,
  onOpen,
}: ShownProps & { onDay: (day: Day) => void }) {
  const { t } = useTranslation('calendar');
  const { weekdayName } = useCalendarFormat();
  const isWide = useMediaQuery('(min-width: 48rem)');
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return (
    <>
      <chakra.table
        aria-label={t('title')}
        w="full"
        css={{
          tableLayout: 'fixed',
          borderCollapse: 'collapse',
          '& th': { py: '1.5', fontSize: 'xs', fontWeight: 'medium', color: 'fg.muted', textAlign: 'center' },
          '& td': { borderTopWidth: '1px', borderInlineStartWidth: '1px', verticalAlign: 'top', p: '1' },
          '& td:first-of-type': { borderInlineStartWidth: '0' },
        }}
      >
        <thead>
          <tr>
            {weeks[0]?.map((one) => (
              <th key={one} scope="col">
                {weekdayName(one)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <MonthCell
                  key={one}
                  cell={one}
                  entries={entries.get(one) ?? none}
                  isWide={isWide}
                  isOfMonth={isSameMonth(one, day)}
                  isChosen={one === day}
                  moving={moving}
                  onDay={onDay}
                  onOpen={onOpen}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </chakra.table>
      {(!isWide || (entries.get(day) ?? none).length > mostInCell) && (
        <DayEntries day={day} entries={entries.get(day) ?? none} onOpen={onOpen} onMove={onMove} />
      )}
    </>
  );
}

interface MonthCellProps {
  cell: Day;
  entries: readonly Entry[];
  isWide: boolean;
  isOfMonth: boolean;
  isChosen: boolean;
  moving: Moving;
  onDay: (day: Day) => void;
  onOpen: (entry: Entry) => void;
}

function MonthCell({ cell, entries, isChosen, isOfMonth, isWide, moving, onDay, onOpen }: MonthCellProps) {
  const { t } = useTranslation('calendar');
  const { dayName } = useCalendarFormat();
  const isTarget = moving.held !== undefined && dayOf(moving.held.at) === cell;
  const isToday = cell === dayOf(new Date());
  const count = entries.length;
  const name = dayName(cell);
  const shown = count > mostInCell ? entries.slice(0, mostInCell - 1) : entries;
  const press = () => (moving.held ? moving.drop(cell) : onDay(cell));
  const said = count === 0 ? t('dayEmpty', { day: name }) : t('countOfDay', { day: name, count });
  return (
    <chakra.td
      h={{ base: '3.25rem', md: '7rem' }}
      bg={isTarget ? 'accent.muted' : isOfMonth ? undefined : 'bg.subtle'}
      outline={isTarget ? '2px solid' : undefined}
      outlineColor="accent.focusRing"
      outlineOffset="-2px"
      {...dropOf((dragged) => moving.drop(cell, undefined, dragged))}
    >
      <Flex direction="column" gap="1" minW="0" align={{ base: 'center', md: 'stretch' }}>
        <chakra.button
          type="button"
          aria-label={moving.held ? t('moveHere', { day: name }) : said}
          aria-current={isToday ? 'date' : undefined}
          aria-pressed={isWide ? undefined : isChosen}
          alignSelf={{ base: 'center', md: 'flex-start' }}
          minW="6"
          h="6"
          px="1"
          fontSize="xs"
          fontVariantNumeric="tabular-nums"
          borderRadius="full"
          cursor="pointer"
          color={isToday ? 'accent.contrast' : isOfMonth ? 'fg' : 'fg.muted'}
          bg={isToday ? 'accent.solid' : !isWide && isChosen ? 'accent.muted' : undefined}
          fontWeight={isToday ? 'semibold' : undefined}
          _hover={{ bg: isToday ? 'accent.solid' : 'bg.muted' }}
          onClick={press}
        >
          {Number(cell.slice(8))}
        </chakra.button>
        {isWide ? (
          <>
            {shown.map((entry) => (
              <EntryButton key={keyOf(entry)} entry={entry} moving={moving} onOpen={onOpen} />
            ))}
            {count > shown.length && (
              <chakra.button
                type="button"
                aria-label={t('moreOfDayName', { day: name, count: count - shown.length })}
                minH="6"
                px="1.5"
                fontSize="xs"
                textAlign="start"
                color="fg.muted"
                cursor="pointer"
                _hover={{ textDecoration: 'underline' }}
                onClick={press}
              >
                {t('moreOfDay', { count: count - shown.length })}
              </chakra.button>
            )}
          </>
        ) : (
          <Dots entries={entries} />
        )}
      </Flex>
    </chakra.td>
  );
}

/** What kinds a day has, where there is no room for words: the number says the rest to who cannot see them. */
function Dots({ entries }: { entries: readonly Entry[] }) {
  const found = [...new Set(entries.map(({ kind }) => kind))];
  return (
    <Flex aria-hidden gap="0.5" h="3" justify="center">
      {found.slice(0, 3).map((kind) => {
        const { icon: Icon, palette } = kindLooks[kind];
        return (
          <chakra.span key={kind} color={`${palette}.fg`}>
            <Icon size={11} />
          </chakra.span>
        );
      })}
    </Flex>
  );
}
