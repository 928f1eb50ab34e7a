import { chakra, Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/form/controls.tsx';
import { type PageSize, pageSizes } from './editor-address.ts';

interface CursorPagerProps {
  from: number;
  to: number;
  total: number;
  perPage: PageSize;
  onPerPage: (perPage: PageSize) => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** Page after page: a cursor knows what follows, however many documents there are. */
export function CursorPager({ from, onNext, onPerPage, onPrevious, perPage, to, total }: CursorPagerProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const sizeId = useId();
  return (
    <Flex justify="space-between" align="center" wrap="wrap" gap="3" px="3" py="2" borderTopWidth="1px">
      <Flex align="center" gap="3" color="fg.muted" fontSize="xs" fontVariantNumeric="tabular-nums">
        <span role="status">{t('range', { from: number(from), to: number(to), total: number(total) })}</span>
        <Flex align="center" gap="1.5">
          <chakra.label htmlFor={sizeId} whiteSpace="nowrap">
            {t('perPage')}
          </chakra.label>
          <Select
            id={sizeId}
            size="xs"
            value={String(perPage)}
            onChange={({ target }) => {
              const size = pageSizes.find((one) => String(one) === target.value);
              if (size) onPerPage(size);
            }}
            options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
          />
        </Flex>
      </Flex>
      <Flex as="nav" aria-label={t('pages')} gap="1">
        <Step label={t('previousPage')} icon={<ChevronLeft />} go={onPrevious} />
        <Step label={t('nextPage')} icon={<ChevronRight />} go={onNext} />
      </Flex>
    </Flex>
  );
}

/** It stays in its place, and keeps the focus, where there is no page in its direction. */
function Step({ go, icon, label }: { label: string; icon: ReactNode; go: (() => void) | undefined }) {
  return (
    <IconButton
      size="xs"
      variant="outline"
      label={label}
      icon={icon}
      aria-disabled={go === undefined || undefined}
      opacity={go ? 1 : 0.55}
      onClick={() => go?.()}
    />
  );
}
