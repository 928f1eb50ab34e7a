import { chakra, VisuallyHidden } from '@chakra-ui/react';
import type { DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { dayOf } from './calendar-days.ts';
import { type Entry, isMovable, keyOf, kindLooks, type MovableEntry } from './entries.ts';
import { useCalendarFormat } from './use-calendar-format.ts';
import type { Moving } from './use-moving.ts';

/** What is dragged at this moment. A browser tells those over whom it is dragged nothing of it. */
let dragged: MovableEntry | undefined;

/** What takes a dragged entry: `onDrop` is given it. Nothing else that is dragged here is taken. */
export function dropOf(onDrop: (entry: MovableEntry) => void) {
  return {
    onDragOver(event: DragEvent) {
      if (!dragged) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    onDrop(event: DragEvent) {
      if (!dragged) return;
      event.preventDefault();
      onDrop(dragged);
      dragged = undefined;
    },
  };
}

interface EntryButtonProps {
  entry: Entry;
  moving: Moving;
  onOpen: (entry: Entry) => void;
}

/** An entry in a cell: it opens, it is dragged, and M picks it up. */
export function EntryButton({ entry, moving, onOpen }: EntryButtonProps) {
  const { t } = useTranslation('calendar');
  const { timeOfDay } = useFormat();
  const { dayName } = useCalendarFormat();
  const { at, kind, title } = entry;
  const { icon: Icon, palette } = kindLooks[kind];
  const movable = isMovable(entry) ? entry : undefined;
  const isHeld = moving.held !== undefined && keyOf(moving.held.entry) === keyOf(entry);
  const day = dayName(dayOf(new Date(at)));
  return (
    <chakra.button
      type="button"
      aria-keyshortcuts={movable ? 'M' : undefined}
      position="relative"
      title={title}
      draggable={movable !== undefined}
      display="flex"
      alignItems="center"
      gap="1"
      w="full"
      minW="0"
      minH="6"
      px="1.5"
      fontSize="xs"
      textAlign="start"
      colorPalette={palette}
      color="colorPalette.fg"
      bg="colorPalette.subtle"
      borderWidth="1px"
      borderColor="colorPalette.border"
      borderRadius="sm"
      borderStyle={isHeld ? 'dashed' : 'solid'}
      cursor={movable ? 'grab' : 'pointer'}
      _hover={{ bg: 'colorPalette.muted' }}
      onClick={() => onOpen(entry)}
      onKeyDown={(event) => {
        if (!movable || event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey)
          return;
        event.preventDefault();
        moving.begin(movable);
      }}
      onDragStart={(event) => {
        dragged = movable;
        event.dataTransfer.effectAllowed = 'move';
        // Without data Firefox drags nothing.
        event.dataTransfer.setData('text/plain', title);
      }}
      onDragEnd={() => {
        dragged = undefined;
      }}
    >
      {/* What is seen is a part of the name, in this order: who speaks to the browser says what they see. */}
      <VisuallyHidden>{t('entryKind', { kind: t(`kinds.${kind}`) })}</VisuallyHidden>
      <chakra.span flexShrink="0">
        <Icon size={12} aria-hidden />
      </chakra.span>
      <chakra.span flexShrink="0" fontVariantNumeric="tabular-nums">
        {`${timeOfDay(new Date(at))} `}
      </chakra.span>
      <chakra.span overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap" minW="0">
        {title}
      </chakra.span>
      <VisuallyHidden>{t(movable ? 'entryDayMovable' : 'entryDay', { day })}</VisuallyHidden>
    </chakra.button>
  );
}
