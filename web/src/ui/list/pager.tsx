import { Button as ChakraButton, chakra, Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { type ListState, pageSizes } from '../../lib/list/use-list-state.ts';
import { Button } from '../button.tsx';
import { Select } from '../form/controls.tsx';

interface PagerProps {
  list: Pick<ListState, 'page' | 'perPage' | 'setPage' | 'setPerPage'>;
  totalPage: number;
  totalCount: number;
}

/** The pages to offer: the first, the last, and those around the current one; `undefined` is a gap. */
function pagesAround(page: number, last: number): (number | undefined)[] {
  const wanted = [...new Set([1, page - 1, page, page + 1, last])].filter((one) => one >= 1 && one <= last);
  return wanted.flatMap((one, index) => {
    const before = wanted[index - 1];
    return before !== undefined && one - before > 1 ? [undefined, one] : [one];
  });
}

interface StepButtonProps {
  label: string;
  icon: ReactNode;
  /** There is no page in this direction. The button stays in place and keeps the focus. */
  ended: boolean;
  onClick: () => void;
}

function StepButton({ label, icon, ended, onClick }: StepButtonProps) {
  return (
    <ChakraButton
      type="button"
      size="xs"
      variant="ghost"
      colorPalette="gray"
      px="0"
      aria-label={label}
      title={label}
      aria-disabled={ended || undefined}
      onClick={ended ? undefined : onClick}
    >
      {icon}
    </ChakraButton>
  );
}

export function Pager({ list, totalPage, totalCount }: PagerProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const sizeId = useId();
  const { page, perPage, setPage } = list;
  if (totalCount === 0) return null;
  const from = (page - 1) * perPage + 1;
  return (
    <Flex justify="space-between" align="center" wrap="wrap" gap="3" px="3" py="2" borderTopWidth="1px">
      <Flex align="center" gap="3" color="fg.muted" fontSize="xs" fontVariantNumeric="tabular-nums">
        <span>
          {t('range', {
            from: number(from),
            to: number(Math.min(totalCount, from + perPage - 1)),
            total: number(totalCount),
          })}
        </span>
        <Flex align="center" gap="1.5">
          <chakra.label htmlFor={sizeId} whiteSpace="nowrap">
            {t('perPage')}
          </chakra.label>
          <Select
            id={sizeId}
            size="xs"
            value={String(perPage)}
            onChange={(event) => list.setPerPage(Number(event.target.value))}
            options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
          />
        </Flex>
      </Flex>
      <chakra.nav aria-label={t('pages')}>
        <chakra.ul display="flex" alignItems="center" gap="0.5" fontVariantNumeric="tabular-nums">
          <li>
            <StepButton
              label={t('previousPage')}
              icon={<ChevronLeft />}
              ended={page <= 1}
              onClick={() => setPage(page - 1)}
            />
          </li>
          {pagesAround(page, totalPage).map((one, index) => (
            <li key={one ?? `gap-${index}`}>
              {one === undefined ? (
                <chakra.span px="1" color="fg.subtle">
                  …
                </chakra.span>
              ) : (
                <Button
                  size="xs"
                  px="1.5"
                  variant={one === page ? 'subtle' : 'ghost'}
                  colorPalette={one === page ? 'accent' : 'gray'}
                  aria-label={t('page', { page: number(one) })}
                  aria-current={one === page ? 'page' : undefined}
                  onClick={() => setPage(one)}
                >
                  {number(one)}
                </Button>
              )}
            </li>
          ))}
          <li>
            <StepButton
              label={t('nextPage')}
              icon={<ChevronRight />}
              ended={page >= totalPage}
              onClick={() => setPage(page + 1)}
            />
          </li>
        </chakra.ul>
      </chakra.nav>
    </Flex>
  );
}
