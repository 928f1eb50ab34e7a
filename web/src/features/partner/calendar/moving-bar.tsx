import { chakra, Flex } from '@chakra-ui/react';
import { Move } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import type { View } from './calendar-days.ts';
import { useCalendarFormat } from './use-calendar-format.ts';
import type { Moving } from './use-moving.ts';

/** Tells what is being moved and where to, and takes the keys that move it. */
export function MovingBar({ moving, view }: { moving: Moving; view: View }) {
  const { t } = useTranslation('calendar');
  const { momentName } = useCalendarFormat();
  const bar = useRef<HTMLDivElement>(null);
  const { held } = moving;
  const isHeld = held !== undefined;
  useEffect(() => {
    if (!isHeld) return;
    const before = document.activeElement;
    bar.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isHeld]);
  if (!held) return null;
  const { at, entry } = held;
  return (
    <Flex
      ref={bar}
      role="group"
      tabIndex={-1}
      aria-label={t('moving', { kind: t(`kinds.${entry.kind}`), title: entry.title })}
      aria-describedby="calendar-moving-help"
      position="sticky"
      top="0"
      zIndex="sticky"
      mb="3"
      px="4"
      py="3"
      gap="3"
      wrap="wrap"
      align="center"
      justify="space-between"
      bg="bg.info"
      borderWidth="1px"
      borderColor="info.border"
      borderRadius="md"
      onKeyDown={(event) => {
        const isOnButton = event.target instanceof HTMLButtonElement;
        if (event.key === 'Escape') moving.cancel();
        else if (event.key === 'Enter' && !isOnButton) moving.confirm(entry, at);
        else if (!moving.step(event.key)) return;
        event.preventDefault();
      }}
    >
      <chakra.div minW="0" flex="1 1 18rem">
        <Flex align="center" gap="2">
          <chakra.span color="fg.info" flexShrink="0">
            <Move size={18} aria-hidden />
          </chakra.span>
          <chakra.strong fontWeight="semibold" overflowWrap="anywhere">
            {t('moving', { kind: t(`kinds.${entry.kind}`), title: entry.title })}
          </chakra.strong>
        </Flex>
        <chakra.p fontVariantNumeric="tabular-nums">{t('movingTo', { time: momentName(at) })}</chakra.p>
        <chakra.p id="calendar-moving-help" fontSize="xs" color="fg.muted">
          {t(`movingHelp.${view}`)}
        </chakra.p>
      </chakra.div>
      <Flex gap="2" wrap="wrap">
        <Button variant="outline" colorPalette="gray" onClick={moving.cancel}>
          {t('cancelMoving')}
        </Button>
        <Button onClick={() => moving.confirm(entry, at)}>{t('here')}</Button>
      </Flex>
    </Flex>
  );
}
