import { Box } from '@chakra-ui/react';
import { deliveryRoutes, type RouteReply } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { DeliveryBar } from '../../../components/files/delivery-bar.tsx';
import { partsOf } from '../../../components/files/delivery-parts.ts';
import { DeliveryTable, useNumberColumns } from '../../../components/files/delivery-table.tsx';
import { partnerDetailLink } from '../../../components/partner-links.ts';
import { useApiList } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { movesEvery } from '../../../lib/moves-every.ts';
import { DetailSkeleton, ErrorState } from '../../../ui/feedback/states.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { Pager } from '../../../ui/list/pager.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';

type OfPartner = RouteReply<typeof deliveryRoutes.getApplicationDelivery>['partners'][number];

/** What has become of an application on the devices of all its tenants, and of each of them. */
export function ApplicationDelivery({ id }: { id: number }) {
  const { t } = useTranslation(['applications', 'delivery']);
  const { number } = useFormat();
  const paging = usePaging();
  const { page, perPage } = paging;
  const query = useApiList(
    deliveryRoutes.getApplicationDelivery,
    { params: { id }, query: { page, perPage } },
    () => movesEvery,
  );
  const { data, error } = query;
  usePageWithin(paging, query, data?.totalPage);
  const numbers = useNumberColumns<OfPartner>();
  const name: Column<OfPartner> = {
    id: 'name',
    header: t('deliveryOf.name'),
    cell: (partner) => <NameLink to={partnerDetailLink(partner)}>{partner.name}</NameLink>,
    isRowHeader: true,
  };
  if (data?.version === null) return null;
  return (
    <Section
      title={t('delivery:title')}
      lead={
        data &&
        t('delivery:lead', {
          version: data.version,
          count: data.targeted.devices,
          users: number(data.targeted.users),
        })
      }
    >
      {!data && (
        <Panel px="5" py="2">
          {error ? (
            <ErrorState error={error} onRetry={() => void query.refetch()} />
          ) : (
            <DetailSkeleton rows={3} />
          )}
        </Panel>
      )}
      {data && (
        <Box display="grid" gap="3">
          {data.targeted.devices > 0 && (
            <Panel p={{ base: '4', md: '5' }}>
              <DeliveryBar wide delivery={partsOf(data)} />
            </Panel>
          )}
          <DeliveryTable
            title={t('deliveryOf.title')}
            lead={t('deliveryOf.lead')}
            rows={data.partners}
            rowId={(partner) => partner.id}
            rowName={(partner) => partner.name}
            columns={[name, ...numbers]}
          />
          {data.totalPage > 1 && (
            <Pager list={paging} totalPage={data.totalPage} totalCount={data.totalCount} />
          )}
        </Box>
      )}
    </Section>
  );
}
