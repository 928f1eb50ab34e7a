import { chakra } from '@chakra-ui/react';
import { batchRoutes, contractRanks, licenseTypes, type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { CsvExportButton } from '../../../components/csv-export-button.tsx';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { partnerDetailLink } from '../../../components/partner-links.ts';
import { useApi, useApiList } from '../../../lib/api.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import type { Filtered } from '../../../lib/list/filter-values.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { useAdminSession, useMay } from '../../../lib/session/use-session.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { SearchPanel } from '../../../ui/list/search-panel.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';

type Reply = RouteReply<typeof tenantRoutes.listPartners>;
type PartnerRow = Extract<Reply, { totalCount: number }>['partners'][number];
type OrderKey = (typeof tenantRoutes.partnerOrderKeys)[number];

const filters = {
  name: 'text',
  code: 'text',
  contractRank: contractRanks,
  licenseType: licenseTypes,
  licenseExpiredOnStart: 'time',
  licenseExpiredOnEnd: 'time',
  bounceInfoStart: 'time',
  bounceInfoEnd: 'time',
} as const;

const listOptions = { orderKeys: tenantRoutes.partnerOrderKeys, filters } as const;

export function PartnerListPage() {
  const { t } = useTranslation(['partners', 'ui', 'shell', 'auth']);
  const format = useFormat();
  const { outsourcingFlag } = useAdminSession();
  const api = useApi();
  const may = useMay();
  const list = useListState<OrderKey, Filtered<typeof filters>>(listOptions);

  const { page, perPage, orderKey, order } = list;
  const query = useApiList(tenantRoutes.listPartners, {
    query: {
      page,
      perPage,
      orderKey,
      order,
      ...list.asked,
      contractRank: list.asked.contractRank || undefined,
      licenseType: list.asked.licenseType || undefined,
    },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(list, reply?.totalPage);

  const columns: readonly Column<PartnerRow, OrderKey>[] = [
    {
      id: 'id',
      header: t('id'),
      cell: ({ id }) => id,
      orderKey: 'id',
      numeric: true,
      width: '4.5rem',
      wideOnly: '2xl',
    },
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
      cell: ({ bounceCount, mailCount }) => `${format.number(bounceCount)} / ${format.number(mailCount)}`,
      orderKey: 'bounceCount',
      numeric: true,
      wideOnly: 'xl',
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
          may('createPartnersCsv') && (
            <CsvExportButton
              name="partners"
              calls={{
                create: () => api.call(batchRoutes.createPartnersCsv, { query: { tz: viewerZone() } }),
                status: (batchId, signal) =>
                  api.call(batchRoutes.getPartnersCsv, { params: { batchId }, signal }),
                url: (batchId) => api.call(batchRoutes.getPartnersCsvUrl, { params: { batchId } }),
                cancel: (batchId) => api.call(batchRoutes.cancelPartnersCsv, { params: { batchId } }),
              }}
            />
          )
        }
      />
      <SearchPanel
        list={list}
        filters={{
          name: { kind: 'text', label: t('name') },
          code: { kind: 'text', label: t('code') },
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
          bounceInfoStart: { kind: 'time', label: t('bounceInfoStart') },
          bounceInfoEnd: { kind: 'time', label: t('bounceInfoEnd') },
        }}
      />
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.partners}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
      />
    </>
  );
}
