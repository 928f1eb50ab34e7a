import { Badge, chakra } from '@chakra-ui/react';
import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { usePartner } from '../../../components/use-partner-crumbs.ts';
import { useApiList } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { bounceReasonOf } from './bounce-reasons.ts';
import { usePartnerOfAddress, usePartnerPageCrumbs } from './use-partner.ts';

type Bounce = RouteReply<typeof tenantRoutes.listBounces>['bounces'][number];

const listOptions = { orderKeys: ['occurredAt'], filters: {} } as const;

/** The mails to people of a company that did not arrive, with the reason in words. */
export function BouncesPage() {
  const { t } = useTranslation(['tenantMenu', 'ui']);
  const { dateTime, number } = useFormat();
  const [params] = useSearchParams();
  const pid = idOf(params);
  const { name } = usePartner({ id: pid, name: params.get('pn') ?? '' });
  const { data: partner } = usePartnerOfAddress();
  const list = useListState<'occurredAt', Record<never, string>>(listOptions);
  const { order, orderKey, page, perPage } = list;
  const query = useApiList(tenantRoutes.listBounces, {
    params: { pid },
    query: { page, perPage, orderKey, order },
  });
  const reply = query.data;
  usePageWithin(list, query, reply?.totalPage);

  const columns: readonly Column<Bounce, 'occurredAt'>[] = [
    {
      id: 'email',
      header: t('address'),
      cell: ({ email }) => <LongWord>{email}</LongWord>,
      isRowHeader: true,
    },
    {
      id: 'kind',
      header: t('kind'),
      cell: ({ kind }) => (
        <div>
          <Badge colorPalette={kind === 'hard' ? 'danger' : 'warning'}>{t(`kinds.${kind}`)}</Badge>
          <chakra.p mt="1" fontSize="xs" color="fg.muted">
            {t(`kindHelp.${kind}`)}
          </chakra.p>
        </div>
      ),
      width: '18rem',
    },
    {
      id: 'reason',
      header: t('reason'),
      cell: ({ reason }) => (
        <div>
          <p>{t(`reasons.${bounceReasonOf(reason)}`)}</p>
          <chakra.code display="block" mt="0.5" fontSize="xs" color="fg.muted" whiteSpace="pre-wrap">
            {reason}
          </chakra.code>
        </div>
      ),
    },
    {
      id: 'occurredAt',
      header: t('occurredAt'),
      cell: ({ occurredAt }) => dateTime(occurredAt),
      orderKey: 'occurredAt',
      numeric: true,
      width: '11rem',
    },
  ];
  return (
    <>
      <PageHeader
        title={t('bouncesTitle')}
        count={reply && t('ui:count', { count: number(reply.totalCount) })}
        lead={t('bouncesLead', { name })}
        crumbs={usePartnerPageCrumbs(t('bouncesTitle'), partner)}
      />
      <ListView
        caption={t('bouncesTitle')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.bounces}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ email }) => email}
        rowHeight="4.375rem"
        emptyTitle={t('noBounces')}
        emptyText={t('noBouncesText')}
      />
    </>
  );
}
