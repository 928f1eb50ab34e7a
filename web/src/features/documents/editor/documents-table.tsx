import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { columnsOf, type FieldColumn } from './columns.ts';
import { sortOf } from './editor-address.ts';
import type { Json } from './json.ts';
import type { StoredDocument } from './stored-document.ts';
import { ValueCell, valueStyles } from './value-cell.tsx';

interface DocumentsTableProps {
  caption: string;
  documents: readonly StoredDocument[];
  sort: string;
  onSort: (field: string) => void;
  /** Undefined for who may not change anything. */
  selected: ReadonlySet<string> | undefined;
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
  onOpen: (id: string) => void;
  isStale: boolean;
}

/** One style for all cells: a page has thousands. It scrolls in its own frame, with the ids in view. */
const styles = {
  borderCollapse: 'separate',
  borderSpacing: '0',
  fontSize: 'sm',
  minW: 'full',
  '& :is(th, td)': {
    px: '3',
    h: '9',
    textAlign: 'start',
    borderBottomWidth: '1px',
    borderColor: 'border.muted',
    whiteSpace: 'nowrap',
    maxW: '18rem',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '& thead th': {
    position: 'sticky',
    top: '0',
    zIndex: '2',
    bg: 'bg.subtle',
    borderColor: 'border',
    fontSize: 'xs',
    fontWeight: 'semibold',
    py: '1',
  },
  '& thead small': { display: 'block', fontSize: '0.6875rem', fontWeight: 'normal', color: 'fg.muted' },
  '& thead button': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minH: '6',
    cursor: 'pointer',
    fontWeight: 'inherit',
  },
  '& tbody th': {
    position: 'sticky',
    insetInlineStart: '0',
    zIndex: '1',
    bg: 'bg.panel',
    fontWeight: 'normal',
    borderEndWidth: '1px',
    maxW: { base: '10rem', md: '14rem' },
  },
  '& thead th[data-id]': { insetInlineStart: '0', zIndex: '3', borderEndWidth: '1px' },
  '& [data-check]': { w: '9', minW: '9', px: '0', textAlign: 'center' },
  '& td[data-number]': { textAlign: 'end' },
  '& tbody tr': { cursor: 'pointer' },
  '& tbody tr:hover > *': { bg: 'bg.subtle' },
  '& tbody tr[aria-selected=true] > *': { bg: 'accent.subtle' },
  '& tbody tr:last-of-type > *': { borderBottomWidth: '0' },
  '& th button[data-open]': {
    maxW: 'full',
    minH: '6',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    fontFamily: 'mono',
    fontSize: 'xs',
    color: 'accent.fg',
    textDecoration: 'underline',
    textDecorationColor: 'accent.emphasized',
    textUnderlineOffset: '3px',
    cursor: 'pointer',
  },
  '& input[type=checkbox]': {
    boxSize: '4',
    accentColor: 'accent.solid',
    cursor: 'pointer',
    verticalAlign: 'middle',
  },
  '& label': { display: 'grid', placeItems: 'center', minW: '6', minH: '6' },
  '&[data-stale] tbody': { opacity: '0.6' },
  ...valueStyles,
} as const;

/** The documents of a page with a column for each field that one of them has. */
export function DocumentsTable({
  caption,
  documents,
  isStale,
  onOpen,
  onSelect,
  onSort,
  selected,
  sort,
}: DocumentsTableProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { dateTime } = useFormat();
  const { columns, left } = columnsOf(documents);
  const ids = documents.map(({ _id }) => _id);
  const chosen = selected ? ids.filter((id) => selected.has(id)).length : 0;
  return (
    <>
      <chakra.div
        // Reached by the keyboard, which scrolls it.
        tabIndex={0}
        role="region"
        aria-label={caption}
        overflow="auto"
        maxH={{ md: 'max(24rem, calc(100dvh - 24rem))' }}
        borderTopRadius="md"
        _focusVisible={{ outline: '2px solid', outlineColor: 'accent.focusRing', outlineOffset: '-2px' }}
      >
        <chakra.table css={styles} aria-busy={isStale} data-stale={isStale ? '' : undefined}>
          <VisuallyHidden asChild>
            <caption>{caption}</caption>
          </VisuallyHidden>
          <thead>
            <tr>
              {selected && (
                <th scope="col" data-check="">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t('ui:selectAll')}
                      checked={chosen > 0 && chosen === ids.length}
                      ref={(box) => {
                        if (box) box.indeterminate = chosen > 0 && chosen < ids.length;
                      }}
                      onChange={() => onSelect(ids, chosen < ids.length)}
                    />
                  </label>
                </th>
              )}
              {columns.map((column) => (
                <FieldHeader key={column.field} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {documents.map((document) => {
              const { _id: id } = document;
              const isSelected = selected?.has(id) ?? false;
              return (
                <tr
                  key={id}
                  aria-selected={selected && isSelected}
                  onClick={({ target }) => {
                    const isControl = target instanceof Element && target.closest('button, input, label');
                    // Who marks a text does not open anything.
                    if (!isControl && window.getSelection()?.toString() === '') onOpen(id);
                  }}
                >
                  {selected && (
                    <td data-check="">
                      <label>
                        <input
                          type="checkbox"
                          aria-label={t('ui:selectRow', { name: id })}
                          checked={isSelected}
                          onChange={() => onSelect([id], !isSelected)}
                        />
                      </label>
                    </td>
                  )}
                  {columns.map(({ field }) =>
                    field === '_id' ? (
                      <th key={field} scope="row">
                        <button type="button" data-open="" title={id} onClick={() => onOpen(id)}>
                          {id}
                        </button>
                      </th>
                    ) : (
                      <Cell key={field} document={document} field={field} dateTime={dateTime} />
                    ),
                  )}
                </tr>
              );
            })}
          </tbody>
        </chakra.table>
      </chakra.div>
      {left > 0 && (
        <chakra.p px="3" py="2" fontSize="xs" color="fg.muted" borderTopWidth="1px">
          {t('moreFields', { count: left })}
        </chakra.p>
      )}
    </>
  );
}

interface CellProps {
  document: StoredDocument;
  field: string;
  dateTime: (time: string) => string;
}

function Cell({ dateTime, document, field }: CellProps) {
  const value: Json | undefined = Object.hasOwn(document, field) ? document[field] : undefined;
  if (field === '_updated_at') {
    return (
      <td>
        <span className="doc-missing">{typeof value === 'string' ? dateTime(value) : '—'}</span>
      </td>
    );
  }
  return (
    <td data-number={typeof value === 'number' ? '' : undefined}>
      <ValueCell value={value} />
    </td>
  );
}

interface FieldHeaderProps {
  column: FieldColumn;
  sort: string;
  onSort: (field: string) => void;
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const;

function FieldHeader({ column: { field, types }, onSort, sort }: FieldHeaderProps) {
  const { t } = useTranslation('documents');
  const now = sortOf(sort);
  const isSorted = now?.field === field;
  const Arrow = isSorted ? (now.order === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown;
  const [type] = types;
  // A dot in a key would be taken for a way into an object.
  const canSort = field !== '' && !field.includes('.') && !field.includes(',') && !field.startsWith('-');
  const label = field === '_updated_at' ? t('updatedAt') : field;
  return (
    <th
      scope="col"
      data-id={field === '_id' ? '' : undefined}
      aria-sort={isSorted ? sortWords[now.order] : undefined}
    >
      {canSort ? (
        <button type="button" onClick={() => onSort(field)}>
          {label}
          <Arrow size={13} aria-hidden opacity={isSorted ? 1 : 0.5} />
        </button>
      ) : (
        label || '""'
      )}
      {type && field !== '_updated_at' && (
        <small>{types.length > 1 ? t('types.mixed') : t(`types.${type}`)}</small>
      )}
    </th>
  );
}
