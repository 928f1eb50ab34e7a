import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListState } from '../../lib/list/use-list-state.ts';
import type { Selection } from '../../lib/list/use-selection.ts';
import { useShownInPieces } from '../../lib/use-shown-in-pieces.ts';
import { Button } from '../button.tsx';
import type { ErrorInfo } from '../feedback/error-info.tsx';
import { EmptyState, ErrorState } from '../feedback/states.tsx';
import { Panel } from '../page/panel.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import { type BulkAction, BulkBar, bulkBarHeight } from './bulk-bar.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Pager } from './pager.tsx';
import { SortChoice } from './sort-choice.tsx';

interface ListViewProps<R, K extends string, F extends Record<string, string>> {
  caption: string;
  list: ListState<K, F>;
  query: { error: ErrorInfo | null; isPlaceholderData: boolean; refetch: () => unknown };
  page: { totalPage: number; totalCount: number } | undefined;
  rows: readonly R[] | undefined;
  columns: readonly Column<R, K>[];
  rowId: (row: R) => number;
  rowName: (row: R) => string;
  selection?: Selection | undefined;
  isSelectable?: (row: R) => boolean;
  /** What the bar over the rows offers for those that are selected. */
  bulkActions?: readonly BulkAction[];
  /** Whether these can be done with all that the filter shows, on other pages too. */
  canSelectMatching?: boolean;
  rowActions?: ((row: R) => ReactNode) | undefined;
  rowDetail?: (row: R) => ReactNode;
  /** How high a row mostly is, so that nothing moves when the rows come. */
  rowHeight?: string | undefined;
  /** How many rows will come, where that is known. */
  expectedRows?: number | undefined;
  emptyTitle: string;
  /** What to do about it, for who may do it. */
  emptyText: string | undefined;
  /** The first step. */
  emptyAction?: ReactNode;
}

/** The body of every list page in its four states: loading, empty, failed, filled. */
export function ListView<R, K extends string, F extends Record<string, string>>({
  caption,
  list,
  query,
  page,
  rows: answered,
  columns,
  rowId,
  rowName,
  selection,
  isSelectable,
  bulkActions = [],
  canSelectMatching = false,
  rowActions,
  rowDetail,
  rowHeight,
  expectedRows = list.perPage,
  emptyTitle,
  emptyText,
  emptyAction,
}: ListViewProps<R, K, F>) {
  const { t } = useTranslation('ui');
  const isShown = useShownInPieces(answered !== undefined);
  const rows = isShown ? answered : undefined;
  const focus = useKeptFocus<HTMLDivElement>({ items: 'tbody > tr' });
  let body: ReactNode;
  if (query.error && !rows) {
    body = <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  } else if (rows?.length === 0) {
    body = list.isFiltered ? (
      <EmptyState
        title={t('noMatchTitle')}
        action={
          <Button variant="outline" onClick={list.reset}>
            {t('reset')}
          </Button>
        }
      >
        {t('noMatchText')}
      </EmptyState>
    ) : (
      <EmptyState title={emptyTitle} action={emptyAction}>
        {emptyText}
      </EmptyState>
    );
  } else {
    const sortChoice = <SortChoice list={list} columns={columns} isRow={!selection} />;
    body = (
      <>
        {selection ? (
          <BulkBar
            selection={selection}
            ids={rows?.filter((row) => isSelectable?.(row) ?? true).map(rowId) ?? []}
            totalCount={canSelectMatching ? page?.totalCount : undefined}
            actions={bulkActions}
          >
            {sortChoice}
          </BulkBar>
        ) : (
          sortChoice
        )}
        <DataTable
          caption={caption}
          columns={columns}
          rows={rows}
          rowId={rowId}
          rowName={rowName}
          sort={list}
          {...(selection ? { selection } : {})}
          {...(isSelectable ? { isSelectable } : {})}
          {...(rowActions ? { rowActions } : {})}
          {...(rowDetail ? { rowDetail } : {})}
          {...(rowHeight === undefined ? {} : { rowHeight })}
          stale={query.isPlaceholderData}
          expectedRows={Math.min(expectedRows, list.perPage)}
        />
        {/* With its rows: under those that stand in their place it would move. */}
        {rows && page && <Pager list={list} totalPage={page.totalPage} totalCount={page.totalCount} />}
      </>
    );
  }
  return (
    <Panel
      role="region"
      aria-label={caption}
      tabIndex={-1}
      css={{ '--below-bulk-bar': selection ? bulkBarHeight : '0px' }}
      {...focus}
    >
      {body}
    </Panel>
  );
}
