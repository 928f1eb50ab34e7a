import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Selection } from '../../lib/list/use-selection.ts';
import { Button } from '../button.tsx';

interface BulkBarProps {
  selection: Selection;
  /** How many of the rows that are there are selected: others may have gone meanwhile. */
  count: number;
  children: ReactNode;
}

/** What can be done with the selected rows; there only while rows are selected. */
export function BulkBar({ selection, count, children }: BulkBarProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  if (count === 0) return null;
  return (
    <Flex
      role="region"
      aria-label={t('bulk')}
      align="center"
      wrap="wrap"
      gap="2"
      px="3"
      py="1.5"
      bg="accent.subtle"
      borderBottomWidth="1px"
    >
      <chakra.span role="status" fontWeight="medium" me="2" fontVariantNumeric="tabular-nums">
        {t('selected', { count: number(count) })}
      </chakra.span>
      {children}
      <Button size="xs" variant="ghost" colorPalette="gray" onClick={selection.clear}>
        {t('clearSelection')}
      </Button>
    </Flex>
  );
}
