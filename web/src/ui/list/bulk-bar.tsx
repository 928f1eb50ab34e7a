import { chakra, Flex } from '@chakra-ui/react';
import { Ellipsis, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { type Selection, useSelected } from '../../lib/list/use-selection.ts';
import { Button, IconButton } from '../button.tsx';
import { MoreButton } from '../more-button.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import { useMediaQuery } from '../use-media-query.ts';

/** What can be done with the selected rows. */
export interface BulkAction {
  readonly label: string;
  readonly icon: ReactNode;
  /** Something is lost by it. */
  readonly isLoss?: boolean;
  readonly pending?: boolean;
  onPress(): void;
}

interface BulkBarProps {
  selection: Selection;
  /** The rows of the page that can be selected: others may have gone meanwhile. */
  ids: readonly number[];
  /** How many rows the filter shows, where all of them can be selected. */
  totalCount: number | undefined;
  actions: readonly BulkAction[];
  /** What stands at the end of the bar until a row is selected. */
  children: ReactNode;
}

/** So high whatever is in it: the rows below stay where they are, and the header of the table sticks below it. */
export const bulkBarHeight = '2.75rem';

/** What can be done with the selected rows. It keeps its place, and stays in view while the rows are scrolled. */
export function BulkBar({ actions, children, ids, selection, totalCount }: BulkBarProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const selected = useSelected(selection);
  // What takes the selection away goes away with it.
  const focus = useKeptFocus<HTMLDivElement>({});
  const hasRoomForAll = useMediaQuery('(min-width: 80rem)');
  const hasRoomForSome = useMediaQuery('(min-width: 62rem)');
  const isMatching = selected.matching !== undefined;
  const count = selected.matching ?? ids.filter((id) => selected.ids.has(id)).length;
  const inline = hasRoomForAll ? actions : hasRoomForSome ? actions.slice(0, 1) : [];
  const behind = actions.slice(inline.length);
  const canSelectMatching =
    totalCount !== undefined && !isMatching && count === ids.length && totalCount > ids.length;
  const selectMatching = canSelectMatching && (
    <Button size="xs" variant="ghost" onClick={() => selection.selectMatching(totalCount, ids)}>
      {t('selectMatching', { count: number(totalCount) })}
    </Button>
  );
  return (
    <Flex
      role="region"
      aria-label={t('bulk')}
      tabIndex={-1}
      {...focus}
      position="sticky"
      top="0"
      zIndex="2"
      h={bulkBarHeight}
      align="center"
      gap="2"
      px="3"
      bg={count === 0 ? 'bg.panel' : 'accent.subtle'}
      borderBottomWidth="1px"
      borderTopRadius="md"
      whiteSpace="nowrap"
    >
      <chakra.span
        role="status"
        fontWeight={count === 0 ? undefined : 'medium'}
        color={count === 0 ? 'fg.muted' : undefined}
        fontSize={count === 0 ? 'xs' : undefined}
        fontVariantNumeric="tabular-nums"
        truncate
        // There the order takes the room of the hint: every card has its box.
        srOnly={count === 0 ? { base: true, md: false } : undefined}
      >
        {count === 0
          ? t('nothingSelected')
          : t(isMatching ? 'allSelected' : 'selected', { count: number(count) })}
      </chakra.span>
      {count === 0 && <chakra.div ms="auto">{children}</chakra.div>}
      {count > 0 && (
        <>
          {hasRoomForSome && selectMatching}
          {inline.map((action) => (
            <ActionButton key={action.label} {...action} />
          ))}
          {(behind.length > 0 || !hasRoomForSome) && (
            <chakra.div ms={hasRoomForSome ? undefined : 'auto'}>
              <MoreButton
                label={t('bulk')}
                text={t(inline.length === 0 ? 'actions' : 'moreActions')}
                size="xs"
                icon={<Ellipsis />}
              >
                {(close) => (
                  <Flex
                    direction="column"
                    align="stretch"
                    css={{ '& button': { justifyContent: 'flex-start' } }}
                  >
                    {!hasRoomForSome && selectMatching}
                    {behind.map((action) => (
                      <ActionButton key={action.label} {...action} before={close} />
                    ))}
                    {!hasRoomForSome && (
                      <Button size="sm" variant="ghost" colorPalette="gray" onClick={selection.clear}>
                        {t('clearSelection')}
                      </Button>
                    )}
                  </Flex>
                )}
              </MoreButton>
            </chakra.div>
          )}
          {hasRoomForSome && (
            <IconButton
              size="xs"
              ms="auto"
              label={t('clearSelection')}
              icon={<X />}
              onClick={selection.clear}
            />
          )}
        </>
      )}
    </Flex>
  );
}

/** In a menu, `before` closes it, which gives the focus back to what opened it. */
function ActionButton({
  before,
  icon,
  isLoss,
  label,
  onPress,
  pending,
}: BulkAction & { before?: () => void }) {
  return (
    <Button
      size={before ? 'sm' : 'xs'}
      variant={before ? 'ghost' : 'outline'}
      colorPalette={isLoss ? 'danger' : undefined}
      icon={icon}
      pending={pending ?? false}
      onClick={() => {
        before?.();
        onPress();
      }}
    >
      {label}
    </Button>
  );
}
