import { Download, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useApiList } from '../../lib/api.ts';
import { useFormat } from '../../lib/format.ts';
import { useShownColumns } from '../../lib/list/list-choices.ts';
import { useListState } from '../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../lib/list/use-page-within.ts';
import { useSelection } from '../../lib/list/use-selection.ts';
import { ButtonLink } from '../../ui/button.tsx';
import type { BulkAction } from '../../ui/list/bulk-bar.tsx';
import type { Filter } from '../../ui/list/filter.ts';
import { FilterChips } from '../../ui/list/filter-chips.tsx';
import { ListChoices } from '../../ui/list/list-choices.tsx';
import { ListFilters } from '../../ui/list/list-filters.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { DeleteButton, EditLink } from '../../ui/list/row-actions.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Asked } from '../asking.tsx';
import { chosenOf, inForce } from '../chosen.ts';
import { useCsvDownload } from '../csv-button.tsx';
import { useDeletion } from '../use-deletion.tsx';
import { DeleteRecord } from './delete-record.tsx';
import type { AnyRecord, Named } from './record.ts';
import { RecordCsv } from './record-csv.tsx';
import { useParentOf } from './use-parent-of.ts';
import { useMayCall, useRecordCrumbs, useRecordLinks, useRecordText } from './use-record.ts';

const nothingFixed = () => () => false;
const always = () => true;
const never = () => false;
const noChips = () => undefined;
/** Milliseconds between two looks at rows that change by themselves. */
const refetchEvery = 2000;

export function RecordListPage({ record }: { record: AnyRecord }) {
  const { calls, canChange = always, list: declared, paths, texts, useScope } = record;
  const { useParentName = () => useParentOf(paths).name } = record;
  const {
    RowActions,
    RowDetail,
    useChips = noChips,
    useIsFixed = nothingFixed,
    useIsSearched = always,
  } = declared;
  const { t } = useTranslation(['ui', texts]);
  const text = useRecordText(record);
  const { number } = useFormat();
  const may = useMayCall();
  const scope = useScope();
  const links = useRecordLinks(record);
  const columns = declared.useColumns(links);
  const chips = useChips();
  const isKept = useIsFixed();
  const isFixed = (row: Named) => isKept(row) || !canChange(row);
  const isSearched = useIsSearched();
  const list = useListState<string, Record<string, string>>(declared);
  const selection = useSelection();

  const { isMoving = never } = declared;
  const { page, perPage, orderKey, order, asked, filters } = list;
  // A call that takes no page answers all rows.
  const isPaged = Object.hasOwn(calls.list.query.shape, 'page');
  const query = useApiList(
    calls.list,
    {
      params: scope,
      ...(isPaged && { query: { page, perPage, orderKey, order, ...asked, ...declared.fixed } }),
    },
    // The reply is one of `calls.list`, as `defineRecord` checks.
    (reply) => (declared.pageOf(reply, list)?.rows.some(isMoving) ? refetchEvery : false),
  );
  const shown = query.data === undefined ? undefined : declared.pageOf(query.data, list);
  usePageWithin(list, query, shown?.totalPage);
  const deletion = useDeletion(shown?.rows, selection);

  const nameOf = t as (key: string) => string;
  const labelled = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(declared.filters).flatMap(([name, kind]): [string, Filter][] =>
          name === 'q' || typeof kind !== 'string'
            ? []
            : [[name, { kind, label: nameOf(`${texts}:${name}`) }]],
        ),
      ),
    [declared, nameOf, texts],
  );
  const api = useApi();
  const download = useCsvDownload(declared.csv?.fileName ?? '');
  const csvAction: BulkAction = {
    label: t('ui:csvSelected'),
    icon: <Download />,
    pending: download.isPending,
    onPress() {
      const { csv } = calls;
      const { matching, rows } = chosenOf(shown?.rows, selection);
      if (!csv || 'create' in csv) return;
      const only = matching === undefined ? { ids: rows.map(({ id }) => id).join(',') } : inForce(asked);
      download.mutate(() => api.send(csv, { params: scope, query: { ...declared.csv?.query?.(), ...only } }));
    },
  };
  const canEdit = may(calls.update);
  const canDelete = may(calls.remove);
  const createButton = may(calls.create) && (
    <ButtonLink to={links.toCreate} icon={<Plus />}>
      {text('create')}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={text('title')}
        count={shown && t('ui:count', { count: number(shown.totalCount) })}
        lead={useParentName()}
        crumbs={useRecordCrumbs(record)}
        action={
          <>
            <RecordCsv
              record={record}
              filter={list.isFiltered ? inForce(asked) : undefined}
              count={shown?.totalCount}
            />
            {createButton}
          </>
        }
      />
      <ListFilters
        list={list}
        {...('q' in declared.filters && isSearched && { searchFor: text('searchFor') })}
        filters={labelled}
        choices={
          <ListChoices
            name={texts}
            columns={columns}
            whose={paths.parent === undefined ? undefined : ['id', 'pn']}
          />
        }
      >
        {chips && (
          <FilterChips
            label={chips.label}
            options={chips.options}
            value={filters[chips.name] ?? ''}
            onChange={(value) => list.setFilters({ ...filters, [chips.name]: value })}
          />
        )}
      </ListFilters>
      <ListView
        caption={text('title')}
        list={list}
        query={query}
        page={shown}
        rows={shown?.rows}
        columns={useShownColumns(texts, columns)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selection={canDelete ? selection : undefined}
        isSelectable={(row) => !isFixed(row)}
        bulkActions={[...(declared.csv?.takesIds ? [csvAction] : []), deletion.action]}
        canSelectMatching={calls.removeMany !== undefined}
        rowHeight={declared.rowHeight}
        rowActions={
          RowActions || canEdit || canDelete
            ? (row: Named) => (
                <>
                  {RowActions && <RowActions row={row} />}
                  {canEdit && canChange(row) && <EditLink name={row.name} to={links.toEdit(row)} />}
                  {canDelete && !isFixed(row) && (
                    <DeleteButton name={row.name} onClick={() => deletion.ask(row)} />
                  )}
                </>
              )
            : undefined
        }
        {...(RowDetail && { rowDetail: (row: Named) => <RowDetail row={row} /> })}
        emptyTitle={text('emptyTitle')}
        emptyText={may(calls.create) ? text('emptyText') : undefined}
        emptyAction={createButton}
      />
      <Asked asking={deletion.asking}>
        {(chosen) => (
          <DeleteRecord
            record={record}
            chosen={chosen}
            filter={inForce(asked)}
            onClose={deletion.asking.close}
            onDeleted={selection.clear}
          />
        )}
      </Asked>
    </>
  );
}
