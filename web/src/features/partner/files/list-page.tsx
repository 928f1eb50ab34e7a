import { Box, chakra, Flex } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { CirclePlay, Download, Plus, UsersRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CsvExportControl } from '../../../components/csv-export-button.tsx';
import { DeliveryBar } from '../../../components/files/delivery-bar.tsx';
import { type FileRow, isResumable } from '../../../components/files/file.ts';
import {
  DeliveryState,
  FileIcon,
  FileNameLine,
  GroupTags,
  Publisher,
  UpdateState,
} from '../../../components/files/file-parts.tsx';
import { useReceiverOptions } from '../../../components/groups/use-pickable-groups.ts';
import { useTenant, useTenantCrumbs, useTenantLinks } from '../../../components/tenant.ts';
import { useIsUploadedHere } from '../../../components/upload/use-is-uploaded-here.ts';
import { useListCsv } from '../../../components/use-list-csv.tsx';
import { useApi, useApiList, useApiQuery } from '../../../lib/api.ts';
import { downloadFrom } from '../../../lib/download.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useShownColumns } from '../../../lib/list/list-choices.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Link } from '../../../ui/link.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import type { Filter } from '../../../ui/list/filter.ts';
import { FilterChips } from '../../../ui/list/filter-chips.tsx';
import { idColumn } from '../../../ui/list/id-column.ts';
import { ListChoices } from '../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { DeleteButton, EditLink, RowButton, RowLink } from '../../../ui/list/row-actions.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { fileCreateFlow, fileEditFlow, fileGroupsPath } from './file-flows.ts';
import type { FilesExportFilter } from './files-csv-calls.ts';
import { FileDrop } from './upload/file-drop.tsx';
import { mostFiles, useBulkFiles } from './use-bulk-files.tsx';
import { useDraftsWatched } from './use-drafts-watched.ts';
import { isAssignable, useMayChangeDelivery, useMayDistribute } from './use-may-distribute.ts';

type OrderKey = (typeof fileRoutes.fileOrderKeys)[number];

const filterValues = {
  q: 'text',
  state: { someOf: fileRoutes.fileStates },
  name: 'text',
  note: 'text',
  group: 'group',
  createdAtStart: 'time',
  createdAtEnd: 'time',
  updatedAtStart: 'time',
  updatedAtEnd: 'time',
  deliverReservationAtStart: 'time',
  deliverReservationAtEnd: 'time',
  updateReservationAtStart: 'time',
  updateReservationAtEnd: 'time',
  deliveredAtStart: 'time',
  deliveredAtEnd: 'time',
  dueAtStart: 'time',
  dueAtEnd: 'time',
} as const;
type Filters = Record<keyof typeof filterValues, string>;

const listOptions = { orderKeys: fileRoutes.fileOrderKeys, filters: filterValues } as const;

function useFilters(): { readonly [K in Exclude<keyof Filters, 'q' | 'state'>]?: Filter } {
  const { t } = useTranslation('files');
  const may = useMay();
  const time = (name: Exclude<keyof Filters, 'name' | 'note' | 'group' | 'q' | 'state'>): Filter => ({
    kind: 'time',
    label: t(`filters.${name}`),
  });
  return {
    name: { kind: 'text', label: t('name') },
    note: { kind: 'text', label: t('note') },
    ...(may('listGroups') && {
      group: { kind: 'lookup', label: t('groups'), useOptions: useReceiverOptions },
    }),
    createdAtStart: time('createdAtStart'),
    createdAtEnd: time('createdAtEnd'),
    updatedAtStart: time('updatedAtStart'),
    updatedAtEnd: time('updatedAtEnd'),
    deliverReservationAtStart: time('deliverReservationAtStart'),
    deliverReservationAtEnd: time('deliverReservationAtEnd'),
    updateReservationAtStart: time('updateReservationAtStart'),
    updateReservationAtEnd: time('updateReservationAtEnd'),
    deliveredAtStart: time('deliveredAtStart'),
    deliveredAtEnd: time('deliveredAtEnd'),
    dueAtStart: time('dueAtStart'),
    dueAtEnd: time('dueAtEnd'),
  };
}

export function FileListPage() {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  const api = useApi();
  const may = useMay();
  const partner = useTenant();
  const { toDetail } = useTenantLinks();
  const params = { pid: partner.id };
  const { showError } = useErrorModal();
  const list = useListState<OrderKey, Filters>(listOptions);
  const selection = useSelection();

  const { page, perPage, orderKey, order, filters } = list;
  const { group, ...asked } = list.asked;
  const filter = { ...asked, group: group || undefined };
  const query = useApiList(fileRoutes.listFiles, {
    params,
    query: { page, perPage, orderKey, order, includeIconUrl: true, ...filter },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(list, query, reply?.totalPage);
  useDraftsWatched(reply?.files ?? []);
  const mayExport = may('createFilesCsv');
  const all = useApiQuery(
    fileRoutes.listFiles,
    { params, query: { perPage: 1 } },
    { enabled: list.isFiltered && mayExport },
  );
  const csvCalls = async (exported: FilesExportFilter) =>
    (await import('./files-csv-calls.ts')).filesCsvCalls(api, partner.id, exported);
  const createOf = (exported: FilesExportFilter) => async () => (await csvCalls(exported)).create();
  const csv = useListCsv<FilesExportFilter>({
    name: `files:${partner.id}`,
    calls: {
      create: createOf({}),
      status: async (batchId, signal) => (await csvCalls({})).status(batchId, signal),
      url: async (batchId) => (await csvCalls({})).url(batchId),
      cancel: async (batchId) => (await csvCalls({})).cancel(batchId),
    },
    createOf,
    filter,
    isFiltered: list.isFiltered,
    counts: {
      shown: reply?.totalCount,
      all: all.data && 'totalCount' in all.data ? all.data.totalCount : undefined,
    },
    rows: reply?.files,
    selection,
  });
  const bulk = useBulkFiles(reply?.files, selection, { ...filter, orderKey, order }, csv.action);

  const download = useAction({
    mutationFn: ({ id }: FileRow) => api.call(fileRoutes.getFile, { params: { ...params, id } }),
    onSuccess: ({ signedUrl }) => signedUrl !== null && downloadFrom(signedUrl),
    onError: showError,
  });

  const editTo = ({ id }: FileRow) => editLink(fileEditFlow.paths.form, id, partner.name);
  const canEdit = may('updateFile');
  const canDelete = may('deleteFile');
  const canAssign = useMayDistribute();
  const mayChangeDelivery = useMayChangeDelivery();
  const isUploadedHere = useIsUploadedHere();
  const createButton = may('createFile') && (
    <ButtonLink to={fileCreateFlow.paths.form} icon={<Plus />}>
      {t('create')}
    </ButtonLink>
  );

  const columns: readonly Column<FileRow, OrderKey>[] = [
    idColumn({ header: t('id'), width: '3.5rem', wideOnly: '2xl' }),
    {
      id: 'name',
      header: t('name'),
      cell: (file) => (
        <Flex align="center" gap="3" minW={{ base: '9rem', md: '11rem' }}>
          <FileIcon file={file} />
          <chakra.span minW="0">
            <NameLink to={toDetail('files', file.id)}>{file.name}</NameLink>
            <FileNameLine file={file} />
            <Publisher file={file} />
          </chakra.span>
        </Flex>
      ),
      orderKey: 'name',
      width: '36%',
      isRowHeader: true,
    },
    {
      id: 'delivery',
      header: t('delivery'),
      cell: (file) => (
        <>
          <DeliveryState file={file} />
          <DeliveryBar delivery={file.delivery} />
          {file.state === 'nobody' && canAssign && (
            <Link to={editLink(fileGroupsPath, file.id, partner.name)} fontSize="xs">
              {t('assignNow')}
            </Link>
          )}
          {file.updateReservationAt !== null && (
            <Box hideFrom="xl" mt="1.5">
              <UpdateState file={file} />
            </Box>
          )}
        </>
      ),
      orderKey: 'deliverReservationAt',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'update',
      header: t('update'),
      cell: (file) => <UpdateState file={file} />,
      orderKey: 'updateReservationAt',
      wideOnly: 'xl',
    },
    {
      id: 'groups',
      header: t('groups'),
      cell: ({ groups }) => <GroupTags groups={groups} />,
      width: '12rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'updatedAt',
      header: t('updatedAt'),
      cell: ({ updatedAt }) => format.dateTime(updatedAt),
      orderKey: 'updatedAt',
      numeric: true,
      wideOnly: '2xl',
    },
  ];

  return (
    <FileDrop disabled={!may('createFile')}>
      <PageHeader
        title={t('title')}
        count={reply && t('ui:count', { count: format.number(reply.totalCount) })}
        lead={partner.isOwn ? undefined : partner.name}
        crumbs={[...useTenantCrumbs(), { label: t('title') }]}
        action={
          <>
            {mayExport && <CsvExportControl csv={csv.csv} label={csv.label} others={csv.others} />}
            {createButton}
          </>
        }
      />
      <ListFilters
        list={list}
        searchFor={t('searchFor')}
        choices={
          <ListChoices name="files" columns={columns} whose={partner.isOwn ? undefined : ['id', 'pn']} />
        }
        filters={useFilters()}
        presets={[
          { label: t('presets.createdAt'), filters: { createdAtStart: '7d' } },
          { label: t('presets.updatedAt'), filters: { updatedAtStart: '7d' } },
        ]}
      >
        <FilterChips
          label={t('stateFilter')}
          options={fileRoutes.fileStates.map((state) => ({ value: state, label: t(`states.${state}`) }))}
          value={filters.state}
          onChange={(state) => list.setFilters({ ...filters, state })}
        />
      </ListFilters>
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.files}
        columns={useShownColumns('files', columns)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selection={canDelete ? selection : undefined}
        isSelectable={mayChangeDelivery}
        bulkActions={bulk.actions}
        canSelectMatching={canAssign && (reply?.totalCount ?? 0) <= mostFiles}
        rowHeight="4.375rem"
        rowActions={
          partner.isOwn
            ? (file) => (
                <>
                  {canEdit && mayChangeDelivery(file) && isResumable(file) && !isUploadedHere(file) && (
                    <RowLink action={t('resume')} name={file.name} to={editTo(file)} icon={<CirclePlay />} />
                  )}
                  {canEdit && !file.application && <EditLink name={file.name} to={editTo(file)} />}
                  {canAssign && isAssignable(file) && (
                    <RowLink
                      action={t('assign')}
                      name={file.name}
                      to={editLink(fileGroupsPath, file.id, partner.name)}
                      icon={<UsersRound />}
                    />
                  )}
                  <RowButton
                    action={t('download')}
                    name={file.name}
                    icon={<Download />}
                    disabled={file.uploadStatus !== 'complete'}
                    pending={download.isPending && download.variables.id === file.id}
                    onClick={() => download.mutate(file)}
                  />
                  {canDelete && mayChangeDelivery(file) && (
                    <DeleteButton name={file.name} onClick={() => bulk.askToDelete(file)} />
                  )}
                </>
              )
            : undefined
        }
        emptyTitle={t('emptyTitle')}
        emptyText={may('createFile') ? t('emptyText') : undefined}
        emptyAction={createButton}
      />
      {bulk.dialogs}
    </FileDrop>
  );
}
