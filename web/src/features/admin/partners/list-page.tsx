import { chakra } from '@chakra-ui/react';
import {
  contractRanks,
  formatDateTime,
  licenseTypes,
  limits,
  type RouteReply,
  tenantRoutes,
} from '@portal/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Asked, useAsking } from '../../../components/asking.tsx';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import {
  newPartnerPath,
  partnerBouncesLink,
  partnerDetailLink,
  partnerEditLink,
} from '../../../components/partner-links.ts';
import { useApiList } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import type { Filtered } from '../../../lib/list/filter-values.ts';
import { useShownColumns } from '../../../lib/list/list-choices.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { useAdminSession, useMay } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ToggleChip } from '../../../ui/list/filter-chips.tsx';
import { idColumn } from '../../../ui/list/id-column.ts';
import { ListChoices } from '../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { DeleteButton, EditLink } from '../../../ui/list/row-actions.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { DeletePartner } from './delete-partner.tsx';
import { PartnersCsv } from './partners-csv.tsx';

type Reply = RouteReply<typeof tenantRoutes.listPartners>;
type PartnerRow = Extract<Reply, { totalCount: number }>['partners'][number];
type OrderKey = (typeof tenantRoutes.partnerOrderKeys)[number];

const filters = {
  q: 'text',
  name: 'text',
  code: 'text',
  unitId: 'number',
  contractRank: contractRanks,
  licenseType: licenseTypes,
  licenseExpiredOnStart: 'time',
  licenseExpiredOnEnd: 'time',
  createdAtStart: 'time',
  createdAtEnd: 'time',
  bounceInfoStart: 'time',
  bounceInfoEnd: 'time',
} as const;

const listOptions = { orderKeys: tenantRoutes.partnerOrderKeys, filters } as const;

/** The companies with undelivered mails of the last days, so many that few lists have a second page. Their column counts all that are kept. */
const allBounces = {
  filter: `${limits.overviewDays}d`,
  view: { perPage: limits.maxPageSize, orderKey: 'bounceCount', order: 'desc' },
} as const;
const usualView = { perPage: limits.pageSize, orderKey: 'id', order: 'desc' } as const;

/** Times that do not move while the page is open. */
function usePresetTimes() {
  const [now] = useState(() => Math.floor(Date.now() / 60_000) * 60_000);
  const at = (days: number) => formatDateTime(new Date(now + days * 24 * 3_600_000));
  return { now: at(0), yesterday: at(-1), inAMonth: at(limits.overviewDays) };
}

export function PartnerListPage() {
  const { t } = useTranslation(['partners', 'ui', 'shell', 'auth']);
  const format = useFormat();
  const { outsourcingFlag } = useAdminSession();
  const may = useMay();
  const times = usePresetTimes();
  const list = useListState<OrderKey, Filtered<typeof filters>>(listOptions);
  const deletion = useAsking<PartnerRow>();

  const { page, perPage, orderKey, order } = list;
  const query = useApiList(tenantRoutes.listPartners, {
    query: {
      page,
      perPage,
      orderKey,
      order,
      ...list.asked,
      unitId: list.asked.unitId === '' ? undefined : Number(list.asked.unitId),
      contractRank: list.asked.contractRank || undefined,
      licenseType: list.asked.licenseType || undefined,
    },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(list, query, reply?.totalPage);

  const isAllBounces = list.filters.bounceInfoStart === allBounces.filter && perPage === limits.maxPageSize;
  const createButton = may('createPartner') && (
    <ButtonLink to={newPartnerPath} icon={<Plus />}>
      {t('create')}
    </ButtonLink>
  );

  const columns: readonly Column<PartnerRow, OrderKey>[] = [
    idColumn({ header: t('id'), width: '4.5rem', wideOnly: '2xl' }),
    {
      id: 'name',
      header: t('name'),
      cell: (partner) => (
        <>
          <NameLink to={partnerDetailLink(partner)}>{partner.name}</NameLink>
          {!outsourcingFlag && (
            <chakra.span display="block" fontSize="xs" fontWeight="normal" color="fg.muted">
              <LongWord>{partner.unitName}</LongWord>
            </chakra.span>
          )}
          <chakra.span display="block" hideFrom="md" fontSize="xs" fontWeight="normal" color="fg.muted">
            <LongWord>{`${t(`auth:ranks.${partner.contractRank}`)} · ${partner.partnerCode}`}</LongWord>
          </chakra.span>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    {
      id: 'code',
      header: t('code'),
      cell: ({ partnerCode }) => <LongWord>{partnerCode}</LongWord>,
      orderKey: 'partnerCode',
      wideOnly: true,
    },
    {
      id: 'rank',
      header: t('rank'),
      cell: ({ contractRank }) => (
        <chakra.span whiteSpace="nowrap">{t(`auth:ranks.${contractRank}`)}</chakra.span>
      ),
      orderKey: 'contractRank',
      wideOnly: true,
    },
    {
      id: 'licenseType',
      header: t('licenseType'),
      cell: ({ licenseType }) => t(`auth:licenseTypes.${licenseType}`),
      orderKey: 'licenseType',
      wideOnly: 'xl',
    },
    {
      id: 'licenseCount',
      header: t('licenseCount'),
      cell: ({ licenseCount }) => format.number(licenseCount),
      orderKey: 'licenseCount',
      numeric: true,
      wideOnly: true,
    },
    {
      id: 'licenseExpiredOn',
      header: t('licenseExpiredOn'),
      cell: ({ licenseExpiredOn }) => <LicenceEnd expiredOn={licenseExpiredOn} />,
      orderKey: 'licenseExpiredOn',
    },
    {
      id: 'bounces',
      header: t('bounces'),
      cell: ({ bounceCount, ...partner }) =>
        bounceCount > 0 && may('listBounces') ? (
          <Link to={partnerBouncesLink(partner)} aria-label={t('bouncesOf', { name: partner.name })}>
            {format.number(bounceCount)}
          </Link>
        ) : (
          format.number(bounceCount)
        ),
      orderKey: 'bounceCount',
      numeric: true,
      wideOnly: isAllBounces ? true : 'xl',
      onCard: true,
    },
    {
      id: 'mails',
      header: t('mails'),
      cell: ({ mailCount }) => format.number(mailCount),
      numeric: true,
      wideOnly: isAllBounces ? true : '2xl',
    },
    {
      id: 'createdAt',
      header: t('createdAt'),
      cell: ({ createdAt }) => format.date(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      wideOnly: '2xl',
    },
  ];

  return (
    <>
      <PageHeader
        title={t('title')}
        count={reply && t('ui:count', { count: format.number(reply.totalCount) })}
        crumbs={[{ label: t('shell:home'), to: '/admin/menu' }, { label: t('title') }]}
        action={
          <>
            {may('createPartnersCsv') && (
              <PartnersCsv filter={list.isFiltered ? list.asked : undefined} count={reply?.totalCount} />
            )}
            {createButton}
          </>
        }
      />
      <ListFilters
        list={list}
        searchFor={t('searchFor')}
        choices={<ListChoices name="partners" columns={columns} />}
        presets={[
          {
            label: t('presets.endsSoon'),
            filters: { licenseExpiredOnStart: times.now, licenseExpiredOnEnd: times.inAMonth },
          },
          { label: t('presets.over'), filters: { licenseExpiredOnEnd: times.yesterday } },
          { label: t('presets.created'), filters: { createdAtStart: '30d' } },
        ]}
        filters={{
          name: { kind: 'text', label: t('name') },
          code: { kind: 'text', label: t('code') },
          ...(!outsourcingFlag && { unitId: { kind: 'number', label: t('unitId') } }),
          contractRank: {
            kind: 'choice',
            label: t('rank'),
            options: contractRanks.map((rank) => ({ value: rank, label: t(`auth:ranks.${rank}`) })),
          },
          licenseType: {
            kind: 'choice',
            label: t('licenseType'),
            options: licenseTypes.map((type) => ({ value: type, label: t(`auth:licenseTypes.${type}`) })),
          },
          licenseExpiredOnStart: { kind: 'time', label: t('licenseExpiredOnStart') },
          licenseExpiredOnEnd: { kind: 'time', label: t('licenseExpiredOnEnd') },
          createdAtStart: { kind: 'time', label: t('createdAtStart') },
          createdAtEnd: { kind: 'time', label: t('createdAtEnd') },
          bounceInfoStart: { kind: 'time', label: t('bounceInfoStart') },
          bounceInfoEnd: { kind: 'time', label: t('bounceInfoEnd') },
        }}
      >
        <ToggleChip
          label={t('allBounces')}
          isOn={isAllBounces}
          onToggle={() =>
            list.setFilters(
              { ...list.filters, bounceInfoStart: isAllBounces ? '' : allBounces.filter },
              isAllBounces ? usualView : allBounces.view,
            )
          }
        />
      </ListFilters>
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.partners}
        columns={useShownColumns('partners', columns)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
        emptyAction={createButton}
        rowActions={
          may('updatePartner')
            ? (partner) => (
                <>
                  <EditLink name={partner.name} to={partnerEditLink(partner)} />
                  {may('deletePartner') && (
                    <DeleteButton name={partner.name} onClick={() => deletion.ask(partner)} />
                  )}
                </>
              )
            : undefined
        }
      />
      <Asked asking={deletion}>
        {(partner) => (
          <DeletePartner partner={partner} onClose={deletion.close} onDeleted={() => undefined} />
        )}
      </Asked>
    </>
  );
}
