import { Badge, chakra, Flex } from '@chakra-ui/react';
import { CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import type { Day } from './calendar-days.ts';
import { type Entry, isMovable, keyOf, kindLooks } from './entries.ts';
import { useCalendarFormat } from './use-calendar-format.ts';

interface DayEntriesProps {
  day: Day;
  entries: readonly Entry[];
  onOpen: (entry: Entry) => void;
  onMove: (entry: Entry) => void;
}

/** All entries of a day, under its name. */
export function DayEntries({ day, entries, onMove, onOpen }: DayEntriesProps) {
  const { t } = useTranslation('calendar');
  const { dayName } = useCalendarFormat();
  const name = dayName(day);
  return (
    <chakra.section
      aria-label={t('ofDay', { day: name })}
      borderTopWidth="1px"
      px={{ base: '4', md: '5' }}
      py="3"
    >
      <chakra.h3 fontSize="sm" fontWeight="semibold" mb="1">
        {name}
      </chakra.h3>
      {entries.length === 0 ? (
        <chakra.p color="fg.muted">{t('nothingOnDay')}</chakra.p>
      ) : (
        <ul>
          {entries.map((entry) => (
            <EntryRow key={keyOf(entry)} entry={entry} onOpen={onOpen} onMove={onMove} />
          ))}
        </ul>
      )}
    </chakra.section>
  );
}

function EntryRow({ entry, onMove, onOpen }: Omit<DayEntriesProps, 'day' | 'entries'> & { entry: Entry }) {
  const { t } = useTranslation('calendar');
  const { timeOfDay } = useFormat();
  const { momentName } = useCalendarFormat();
  const { at, kind, title, version } = entry;
  const { icon: Icon, palette } = kindLooks[kind];
  const name = { kind: t(`kinds.${kind}`), title, time: momentName(new Date(at)) };
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="3"
      rowGap="1"
      py="1.5"
      borderBottomWidth="1px"
      borderColor="border.muted"
      css={{ '&:last-of-type': { borderBottomWidth: '0' } }}
    >
      <chakra.span w="3.5rem" fontVariantNumeric="tabular-nums">
        {timeOfDay(new Date(at))}
      </chakra.span>
      <Badge colorPalette={palette}>
        <Icon size={12} aria-hidden />
        {t(`kinds.${kind}`)}
      </Badge>
      <chakra.button
        type="button"
        aria-label={t('entryName', name)}
        flex="1 1 12rem"
        minW="0"
        minH="6"
        textAlign="start"
        overflowWrap="anywhere"
        color="accent.fg"
        textDecoration="underline"
        textDecorationColor="accent.emphasized"
        textUnderlineOffset="3px"
        cursor="pointer"
        onClick={() => onOpen(entry)}
        onKeyDown={(event) => {
          if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          onMove(entry);
        }}
      >
        {title}
      </chakra.button>
      <Flex align="center" gap="3">
        {version !== null && (
          <chakra.span fontSize="xs" color="fg.muted">
            {t('version', { version })}
          </chakra.span>
        )}
        {isMovable(entry) && (
          <Button
            size="xs"
            variant="outline"
            icon={<CalendarClock />}
            aria-label={`${t('move')}: ${title}`}
            onClick={() => onMove(entry)}
          >
            {t('move')}
          </Button>
        )}
      </Flex>
    </chakra.li>
  );
}
