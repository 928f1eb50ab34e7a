import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListState, Order } from '../../lib/list/use-list-state.ts';
import { type Option, Select } from '../form/controls.tsx';
import type { Column } from './data-table.tsx';

interface SortChoiceProps<K extends string> {
  list: Pick<ListState<K>, 'orderKey' | 'order' | 'sort'>;
  columns: readonly Pick<Column<never, K>, 'header' | 'orderKey' | 'wideOnly'>[];
  /** Whether it is a row of its own over the table. */
  isRow: boolean;
}

const orders: readonly Order[] = ['asc', 'desc'];

/** The order of a list in words, and any other: for as long as a column that one can sort by is left out. */
export function SortChoice<K extends string>({ list, columns, isRow }: SortChoiceProps<K>) {
  const { t } = useTranslation('ui');
  const id = useId();
  const sortable = columns.filter(({ orderKey }) => orderKey !== undefined);
  const dropped = sortable.map(({ wideOnly }) => wideOnly);
  const hideFrom = (['2xl', 'xl'] as const).find((width) => dropped.includes(width)) ?? 'md';
  if (dropped.every((wideOnly) => !wideOnly)) return null;
  const choices = sortable.flatMap(({ header, orderKey }) =>
    orders.map((order) => ({ orderKey, order, label: t(`orders.${order}`, { column: header }) })),
  );
  const options: Option[] = choices.map(({ label }, index) => ({ value: String(index), label }));
  const chosen = choices.findIndex(
    ({ orderKey, order }) => orderKey === list.orderKey && order === list.order,
  );
  return (
    <chakra.div
      hideFrom={hideFrom}
      display="flex"
      alignItems="center"
      gap="1.5"
      minW="0"
      color="fg.muted"
      fontSize="xs"
      {...(isRow && { justifyContent: 'flex-end', px: '3', py: '1.5', borderBottomWidth: '1px' })}
    >
      <chakra.label htmlFor={id} whiteSpace="nowrap">
        {t('sortedBy')}
      </chakra.label>
      <chakra.div minW="0">
        <Select
          id={id}
          size="xs"
          value={String(chosen)}
          options={options}
          onChange={({ target }) => {
            const choice = choices[Number(target.value)];
            if (choice?.orderKey !== undefined) list.sort(choice.orderKey, choice.order);
          }}
        />
      </chakra.div>
    </chakra.div>
  );
}
