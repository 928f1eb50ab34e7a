import { chakra } from '@chakra-ui/react';
import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { CsvButton } from '../../../components/csv-button.tsx';
import { partnerDetailLink, partnerLicenceLogLink } from '../../../components/partner-links.ts';
import { usePartner, usePartnerCrumbs } from '../../../components/use-partner-crumbs.ts';
import { useApi, useApiList } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import type { Filtered } from '../../../lib/list/filter-values.ts';
import { useShownColumns } from '../../../lib/list/list-choices.ts';
import { type ListState, useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import type { ErrorInfo } from '../../../ui/feedback/error-info.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListChoices } from '../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { RowLink } from '../../../ui/list/row-actions.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { type Crumb, PageHeader } from '../../../ui/page/page-header.tsx';
import { type LicenceChange, LicenceChanges } from './licence-changes.tsx';

type Reply = RouteReply<typeof tenantRoutes.listLicenceChanges>;
type Load = () => Promise<Response>;

const times = { changedAtStart: 'time', changedAtEnd: 'time' } as const;
const allFilters = { partnerId: 'number', ...times } as const;
const ofAll = { orderKeys: ['changedAt'], filters: allFilters } as const;
const ofOne = { orderKeys: ['changedAt'], filters: times } as const;

const given = (filter: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));

/** The changes of all companies that the administrator can see. */
export function LicenceLogPage() {
  const { t } = useTranslation(['licenceLogs', 'shell']);
  const api = useApi();
  const list = useListState<'changedAt', Filtered<typeof allFilters>>(ofAll);
  const { order, orderKey, page, perPage } = list;
  const { partnerId, ...asked } = list.asked;
  const query = useApiList(tenantRoutes.listLicenceChanges, {
    query: {
      page,
      perPage,
      orderKey,
      order,
      ...asked,
      partnerId: partnerId === '' ? undefined : Number(partnerId),
    },
  });
  const load = (filter: object) => () =>
    api.send(tenantRoutes.exportLicenceChanges, { query: { tz: viewerZone(), ...filter } });
  return (
    <LicenceLog
      list={list}
      query={query}
      load={load}
      filter={given(list.asked)}
      lastMonth={{ changedAtStart: '30d' }}
      lead={t('lead')}
      crumbs={[{ label: t('shell:home'), to: '/admin/menu' }, { label: t('title') }]}
      isOfAll
    />
  );
}

/** Those of one company. */
export function PartnerLicenceLogPage() {
  const { t } = useTranslation(['licenceLogs', 'shell']);
  const api = useApi();
  const [params] = useSearchParams();
  const about = { id: idOf(params), name: params.get('pn') ?? '' };
  const { name } = usePartner(about);
  const list = useListState<'changedAt', Filtered<typeof times>>(ofOne);
  const { order, orderKey, page, perPage } = list;
  const query = useApiList(tenantRoutes.listPartnerLicenceChanges, {
    params: { pid: about.id },
    query: { page, perPage, orderKey, order, ...list.asked },
  });
  const load = (filter: object) => () =>
    api.send(tenantRoutes.exportPartnerLicenceChanges, {
      params: { pid: about.id },
      query: { tz: viewerZone(), ...filter },
    });
  return (
    <LicenceLog
      list={list}
      query={query}
      load={load}
      filter={given(list.asked)}
      lastMonth={{ changedAtStart: '30d' }}
      lead={name}
      crumbs={[
        { label: t('shell:home'), to: '/admin/menu' },
        ...usePartnerCrumbs(about),
        { label: t('title') },
      ]}
    />
  );
}

interface LicenceLogProps<F extends Record<string, string>> {
  list: ListState<'changedAt', F>;
  query: {
    data: Reply | undefined;
    error: ErrorInfo | null;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  load: (filter: object) => Load;
  filter: Readonly<Record<string, string>>;
  lead: string;
  lastMonth: Partial<F>;
  crumbs: readonly Crumb[];
  isOfAll?: boolean;
}

function LicenceLog<F extends Record<string, string>>({
  crumbs,
  filter,
  isOfAll = false,
  lastMonth,
  lead,
  list,
  load,
  query,
}: LicenceLogProps<F>) {
  const { t } = useTranslation(['licenceLogs', 'ui']);
  const { dateTime, number } = useFormat();
  const reply = query.data;
  usePageWithin(list, query, reply?.totalPage);
  const isOfThese = list.isFiltered && reply !== undefined;
  const byWhom = (changedBy: string) => (changedBy === 'sign-up' ? t('signUp') : changedBy);
  const at: Column<LicenceChange, 'changedAt'> = {
    id: 'changedAt',
    header: t('changedAt'),
    cell: ({ changedAt, changedBy }) => (
      <>
        <chakra.span whiteSpace="nowrap">{dateTime(changedAt)}</chakra.span>
        <chakra.span display="block" hideBelow="md" hideFrom="xl" fontSize="xs" color="fg.muted">
          <LongWord>{byWhom(changedBy)}</LongWord>
        </chakra.span>
      </>
    ),
    orderKey: 'changedAt',
    width: '10rem',
  };
  const columns: readonly Column<LicenceChange, 'changedAt'>[] = [
    ...(isOfAll
      ? [
          {
            id: 'partner',
            header: t('partner'),
            cell: ({ partnerId, partnerName }: LicenceChange) => (
              <NameLink to={partnerDetailLink({ id: partnerId, name: partnerName })}>{partnerName}</NameLink>
            ),
            isRowHeader: true,
          },
          at,
        ]
      : [{ ...at, isRowHeader: true }]),
    {
      id: 'changes',
      header: t('changes'),
      cell: ({ after, before }) => (
        <chakra.div flex="1" minW="0">
          {before === null && (
            <chakra.p fontSize="xs" color="fg.muted">
              {t('created')}
            </chakra.p>
          )}
          <LicenceChanges before={before} after={after} />
        </chakra.div>
      ),
    },
    {
      id: 'changedBy',
      header: t('changedBy'),
      cell: ({ changedBy }) => <LongWord>{byWhom(changedBy)}</LongWord>,
      wideOnly: 'xl',
      onCard: true,
    },
  ];
  const name = isOfAll ? 'licenceLogs' : 'partnerLicenceLogs';
  return (
    <>
      <PageHeader
        title={t('title')}
        count={reply && t('ui:count', { count: number(reply.totalCount) })}
        lead={lead}
        crumbs={crumbs}
        action={
          <CsvButton
            load={load(filter)}
            fileName="license_updated_logs.csv"
            label={isOfThese ? t('ui:csvThese', { count: number(reply.totalCount) }) : undefined}
            other={isOfThese ? { label: t('ui:csvEverything'), load: load({}) } : undefined}
          />
        }
      />
      <ListFilters
        list={list}
        filters={{
          ...(isOfAll && { partnerId: { kind: 'number', label: t('partnerId') } }),
          changedAtStart: { kind: 'time', label: t('changedAtStart') },
          changedAtEnd: { kind: 'time', label: t('changedAtEnd') },
        }}
        presets={[{ label: t('lastMonth'), filters: lastMonth }]}
        choices={<ListChoices name={name} columns={columns} whose={isOfAll ? undefined : ['id', 'pn']} />}
      />
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.licenseUpdatedLogs}
        columns={useShownColumns(name, columns)}
        rowId={({ id }) => id}
        rowName={({ changedAt, partnerName }) => `${partnerName} ${dateTime(changedAt)}`}
        rowHeight="3.5rem"
        rowActions={
          isOfAll
            ? ({ partnerId, partnerName }) => (
                <RowLink
                  action={t('ofPartner')}
                  name={partnerName}
                  icon={<History />}
                  to={partnerLicenceLogLink({ id: partnerId, name: partnerName })}
                />
              )
            : undefined
        }
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
      />
    </>
  );
}
