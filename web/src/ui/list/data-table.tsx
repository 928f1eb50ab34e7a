import { chakra, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '../../lib/list/use-list-state.ts';
import { createSelection, type Selection, useIsSelected, useSelected } from '../../lib/list/use-selection.ts';
import { IconButton } from '../button.tsx';
import { useMediaQuery } from '../use-media-query.ts';
import { RowMenu } from './row-actions.tsx';

export interface Column<R, K extends string = string> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: R) => ReactNode;
  /** Makes the header sort by this key. */
  readonly orderKey?: K;
  /** Numbers stand at the right with figures of one width. */
  readonly numeric?: boolean;
  /** A CSS width; the rest is shared out by content. */
  readonly width?: string;
  /** The cell that names the row for screen readers. One column of a table. */
  readonly isRowHeader?: boolean;
  /** Left out on narrow screens; `xl`: on all but wide ones; `2xl`: on all but very wide ones. */
  readonly wideOnly?: boolean | 'xl' | '2xl';
  /** On the card that a row is on narrow screens, though the column is for wide ones. */
  readonly onCard?: boolean;
}

export interface DataTableProps<R, K extends string> {
  /** What the table shows, for screen readers. */
  caption: string;
  columns: readonly Column<R, K>[];
  rows: readonly R[] | undefined;
  rowId: (row: R) => number;
  /** Names a row in the labels of its checkbox. */
  rowName: (row: R) => string;
  sort?: { orderKey: K; order: Order; sortBy: (key: K) => void };
  selection?: Selection;
  /** Rows that may not be selected have no checkbox; all may by default. */
  isSelectable?: (row: R) => boolean;
  /** Buttons at the end of each row. */
  rowActions?: (row: R) => ReactNode;
  /** What a row opens to, below itself. */
  rowDetail?: (row: R) => ReactNode;
  /** Rows of an older request, shown while newer ones load. */
  stale?: boolean;
  /** How many rows the skeleton has, and how high a row mostly is. */
  expectedRows?: number;
  rowHeight?: string;
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const;

/**
 * Plain table markup under one style: a hundred rows cost no more than their text. The header sticks to the top of the
 * page, so the table itself does not scroll upright. Words break anywhere rather than widen the table; what a column has
 * at least keeps them readable, and what it asks for at most leaves the others their share.
 */
const styles = {
  width: 'full',
  borderCollapse: 'separate',
  borderSpacing: '0',
  fontSize: 'sm',
  '& th, & td': {
    px: '3',
    py: '2',
    textAlign: 'start',
    borderBottomWidth: '1px',
    borderColor: 'border.muted',
    verticalAlign: 'middle',
  },
  '& thead th': {
    position: 'sticky',
    top: 'var(--below-bulk-bar, 0px)',
    zIndex: '1',
    bg: 'bg.subtle',
    borderColor: 'border',
    color: 'fg.muted',
    fontSize: 'xs',
    fontWeight: 'semibold',
    whiteSpace: 'nowrap',
    py: '1.5',
  },
  '& tbody :is(th, td)': { minW: { base: '4.5rem', md: '5.5rem' }, maxW: '20rem', overflowWrap: 'anywhere' },
  '& tbody :is(th, td) *': { overflowWrap: 'inherit' },
  '& tbody th': { fontWeight: 'medium', minW: { base: '8rem', md: '10rem' } },
  '& tbody tr:last-of-type > *': { borderBottomWidth: '0' },
  // As round as the panel around it, which cannot cut them off: its header sticks to the page.
  '& thead th:first-of-type': { borderStartStartRadius: 'md' },
  '& thead th:last-of-type': { borderStartEndRadius: 'md' },
  '& tbody tr:last-of-type > :first-of-type': { borderEndStartRadius: 'md' },
  '& tbody tr:last-of-type > :last-of-type': { borderEndEndRadius: 'md' },
  '& tbody tr:hover > *': { bg: 'bg.subtle' },
  '& tbody tr[aria-selected=true] > *': { bg: 'accent.subtle' },
  '& tbody :is([data-numeric], [data-check], [data-actions])': { minW: '0' },
  '& [data-numeric]': { textAlign: 'end', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& [data-check]': { width: '10', pe: '0' },
  '& [data-actions]': { textAlign: 'end', whiteSpace: 'nowrap', py: '1' },
  '& thead button': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minH: '6',
    cursor: 'pointer',
    fontWeight: 'inherit',
    color: 'inherit',
    _hover: { color: 'fg' },
  },
  '& thead [aria-sort] button': { color: 'fg' },
  '& input[type=checkbox]': {
    boxSize: '4',
    accentColor: 'accent.solid',
    cursor: 'pointer',
    verticalAlign: 'middle',
  },
  '& tbody tr[data-detail] > *': { maxW: 'none', bg: 'bg.subtle', px: '4', pb: '4' },
  // A table inside a row has a header of its own, which stays with it.
  '& [data-detail] thead th': { position: 'static' },
  '& label': { display: 'flex', w: '6', h: '6', p: '1', m: '-1' },
  '&[data-stale] tbody': { opacity: '0.6' },
  '@media (max-width: 95.99rem)': { '& [data-wide="2xl"]': { display: 'none' } },
  '@media (max-width: 79.99rem)': { '& [data-wide=xl]': { display: 'none' } },
  '& [data-select-all]': { display: 'none' },
  // A row is a card there: its name with the checkbox and the actions beside it, and the rest below, each with its header.
  '@media (max-width: 47.99rem)': {
    '& [data-wide]:not([data-card])': { display: 'none !important' },
    '&, & thead, & tbody': { display: 'block' },
    '& thead tr': { display: 'block' },
    // A row of which every cell is hidden would be one without cells to screen readers.
    '& thead:not(:has(input)), & thead th': { display: 'none' },
    '& thead th[data-check]:has(input)': { display: 'block', position: 'static', width: 'auto', pe: '3' },
    '& thead [data-check] label': { w: 'auto', display: 'flex', alignItems: 'center', gap: '2' },
    '& [data-select-all]': { display: 'inline' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'auto minmax(0, 1fr) auto',
      columnGap: '2',
      rowGap: '0.5',
      alignItems: 'start',
      position: 'relative',
      px: '3',
      py: '3',
      borderBottomWidth: '1px',
      borderColor: 'border.muted',
    },
    '& tbody tr:last-of-type': { borderBottomWidth: '0' },
    '& tbody :is(th, td)': { gridColumn: '2 / -1', p: '0', borderBottomWidth: '0', minW: '0', maxW: 'none' },
    '& tbody th': { gridRow: '1', gridColumn: '2 / 3', minW: '0' },
    '& tbody [data-check]': { gridColumn: '1', gridRow: '1', width: 'auto', pt: '0.5' },
    '& tbody [data-check] + [data-check]': { gridRow: '2' },
    '& tbody [data-actions]': { gridColumn: '3', gridRow: '1' },
    // So high that links below each other are told apart by a finger.
    '& tbody td[data-label]:not(:empty)': {
      display: 'flex',
      gap: '2',
      py: '0.5',
      textAlign: 'start',
      whiteSpace: 'normal',
    },
    '& tbody td[data-label]::before': {
      content: 'attr(data-label)',
      flexShrink: '0',
      w: '6.5rem',
      fontSize: 'xs',
      color: 'fg.muted',
    },
    '& tbody tr:hover': { bg: 'bg.subtle' },
    '& tbody tr[aria-selected=true]': { bg: 'accent.subtle' },
    '& tbody tr[data-detail]': { display: 'block', bg: 'bg.subtle' },
  },
} as const;

/**
 * The last resort of a table that is wider than its place. A place that always scrolled would take the header from the
 * top of the page.
 */
function useSidewaysScroll() {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    const table = element?.querySelector('table');
    if (!element || !table) return;
    const observer = new ResizeObserver(() => {
      element.toggleAttribute('data-scrolls', table.offsetWidth > element.clientWidth);
    });
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return frame;
}

/** A list whose rows cannot be selected. */
const nothingSelected = createSelection();

export function DataTable<R, K extends string>({
  caption,
  columns,
  rows,
  rowId,
  rowName,
  sort,
  selection,
  isSelectable = () => true,
  rowActions,
  rowDetail,
  stale = false,
  expectedRows = 10,
  rowHeight = '2.375rem',
}: DataTableProps<R, K>) {
  const { t } = useTranslation('ui');
  const isNarrow = useMediaQuery('(max-width: 47.99rem)');
  const ids = rows?.filter(isSelectable).map(rowId) ?? [];
  const width = columns.length + (selection ? 1 : 0) + (rowActions ? 1 : 0) + (rowDetail ? 1 : 0);
  const marks = (column: Column<R, K>) => ({
    'data-numeric': column.numeric ? '' : undefined,
    'data-wide': column.wideOnly === true ? '' : column.wideOnly || undefined,
    'data-card': column.onCard ? '' : undefined,
  });

  // The roles are those of the elements, which browsers take away where a row is laid out as a card.
  return (
    <chakra.div ref={useSidewaysScroll()} css={{ '&[data-scrolls]': { overflowX: 'auto' } }}>
      <chakra.table
        role="table"
        css={styles}
        aria-busy={rows === undefined || stale}
        data-stale={stale ? '' : undefined}
      >
        <VisuallyHidden asChild>
          <caption>{caption}</caption>
        </VisuallyHidden>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" data-check="">
                <PageBox selection={selection} ids={ids} />
              </th>
            )}
            {rowDetail && (
              <th role="columnheader" scope="col" data-check="">
                <VisuallyHidden>{t('details')}</VisuallyHidden>
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} marks={marks(column)} />
            ))}
            {rowActions && (
              <th role="columnheader" scope="col" data-actions="">
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows === undefined
            ? Array.from({ length: expectedRows }, (_, index) => (
                <tr role="row" key={index}>
                  <td role="cell" colSpan={width} style={{ height: rowHeight }}>
                    <Skeleton h="5" />
                  </td>
                </tr>
              ))
            : rows.map((row) => {
                const id = rowId(row);
                const name = rowName(row);
                return (
                  <Row
                    key={id}
                    id={id}
                    name={name}
                    width={width}
                    selection={selection}
                    isSelectable={isSelectable(row)}
                    detail={rowDetail && (() => rowDetail(row))}
                  >
                    {columns.map((column) =>
                      column.isRowHeader ? (
                        <th role="rowheader" key={column.id} scope="row" {...marks(column)}>
                          {column.cell(row)}
                        </th>
                      ) : (
                        <td role="cell" key={column.id} data-label={column.header} {...marks(column)}>
                          {column.cell(row)}
                        </td>
                      ),
                    )}
                    {rowActions && (
                      <td role="cell" data-actions="">
                        {isNarrow ? <RowMenu name={name}>{rowActions(row)}</RowMenu> : rowActions(row)}
                      </td>
                    )}
                  </Row>
                );
              })}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}

/** Selects all rows of the page. */
function PageBox({ ids, selection }: { ids: readonly number[]; selection: Selection }) {
  const { t } = useTranslation('ui');
  useSelected(selection);
  const chosen = ids.filter(selection.has).length;
  return (
    <label>
      <input
        type="checkbox"
        aria-label={t('selectAll')}
        checked={ids.length > 0 && chosen === ids.length}
        disabled={ids.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < ids.length;
        }}
        onChange={() => selection.toggleAll(ids)}
      />
      <span data-select-all="">{t('selectAll')}</span>
    </label>
  );
}

interface RowProps {
  id: number;
  name: string;
  width: number;
  selection: Selection | undefined;
  isSelectable: boolean;
  detail: (() => ReactNode) | undefined;
  /** Its cells. They are made by the table, so that a tick renders the row alone and not what is in it. */
  children: ReactNode;
}

function Row({ id, name, width, selection, isSelectable, detail, children }: RowProps) {
  const { t } = useTranslation('ui');
  const isSelected = useIsSelected(selection ?? nothingSelected, id);
  const [isOpen, setIsOpen] = useState(false);
  const detailId = useId();
  return (
    <>
      <tr role="row" aria-selected={selection && isSelected}>
        {selection && (
          <td role="cell" data-check="">
            {isSelectable && (
              <label>
                <input
                  type="checkbox"
                  aria-label={t('selectRow', { name })}
                  checked={isSelected}
                  onChange={() => selection.toggle(id)}
                />
              </label>
            )}
          </td>
        )}
        {detail && (
          <td role="cell" data-check="">
            <IconButton
              size="2xs"
              label={t('detailsOf', { name })}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailId : undefined}
              icon={isOpen ? <ChevronDown /> : <ChevronRight />}
              onClick={() => setIsOpen(!isOpen)}
            />
          </td>
        )}
        {children}
      </tr>
      {detail && isOpen && (
        <tr role="row" id={detailId} data-detail="">
          <td role="cell" colSpan={width}>
            {detail()}
          </td>
        </tr>
      )}
    </>
  );
}

interface HeaderCellProps<R, K extends string> {
  column: Column<R, K>;
  sort: DataTableProps<R, K>['sort'];
  marks: Record<string, string | undefined>;
}

function HeaderCell<R, K extends string>({ column, sort, marks }: HeaderCellProps<R, K>) {
  const { orderKey, header, width } = column;
  const style = width === undefined ? undefined : { width };
  if (!sort || orderKey === undefined) {
    return (
      <th role="columnheader" scope="col" style={style} {...marks}>
        {header}
      </th>
    );
  }
  const active = sort.orderKey === orderKey;
  const Arrow = active ? (sort.order === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown;
  return (
    <th
      role="columnheader"
      scope="col"
      style={style}
      aria-sort={active ? sortWords[sort.order] : undefined}
      {...marks}
    >
      <button type="button" onClick={() => sort.sortBy(orderKey)}>
        {header}
        <Arrow size={13} aria-hidden opacity={active ? 1 : 0.5} />
      </button>
    </th>
  );
}
