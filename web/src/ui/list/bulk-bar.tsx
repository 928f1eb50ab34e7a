import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Selection } from '../../lib/list/use-selection.ts';
import { Button } from '../button.tsx';

/** What can be done with the selected rows; there only while rows are selected. */
export function BulkBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  if (selection.ids.length === 0) return null;
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
        {t('selected', { count: number(selection.ids.length) })}
      </chakra.span>
      {children}
      <Button size="xs" variant="ghost" colorPalette="gray" onClick={selection.clear}>
        {t('clearSelection')}
      </Button>
    </Flex>
  );
}
