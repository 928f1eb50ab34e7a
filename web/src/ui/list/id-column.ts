import type { Column } from './data-table.tsx';

/** The number of a record, which most lists begin with where they have the room. */
export const idColumn = (
  place: Pick<Column<unknown>, 'header' | 'width' | 'wideOnly'>,
): Column<{ readonly id: number }, 'id'> => ({
  id: 'id',
  cell: ({ id }) => id,
  orderKey: 'id',
  numeric: true,
  ...place,
});
