import { chakra, Flex } from '@chakra-ui/react';
import { deliveryRoutes, type RouteReply } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeviceState } from '../../../components/files/device-state.tsx';
import { useDeviceColumns } from '../../../components/files/use-device-columns.tsx';
import { useTenantLinks } from '../../../components/tenant.ts';
import { useApiList } from '../../../lib/api.ts';
import type { Order } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { FilterChips } from '../../../ui/list/filter-chips.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { Pager } from '../../../ui/list/pager.tsx';
import { SecondLine } from '../../../ui/list/second-line.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

type Row = RouteReply<typeof deliveryRoutes.listUserDelivery>['devices'][number];
type OrderKey = (typeof deliveryRoutes.userDeliveryOrderKeys)[number];

/** Milliseconds between two looks at what moves by itself. */
const refetchEvery = 15_000;

/** What has become of the files that a user is to have, on each of their devices. */
export function UserDelivery({ userId }: { userId: number }) {
  const { t } = useTranslation(['delivery', 'ui']);
  const shared = useDeviceColumns();
  const { partner } = usePartnerSession();
  const { toDetail } = useTenantLinks();
  const paging = usePaging();
  const [status, setStatus] = useState('');
  const [{ order, orderKey }, setSort] = useState<{ orderKey: OrderKey; order: Order }>({
    orderKey: 'at',
    order: 'desc',
  });
  const { page, perPage } = paging;
  const query = useApiList(
    deliveryRoutes.listUserDelivery,
    {
      params: { pid: partner.id, id: userId },
      query: { page, perPage, orderKey, order, ...(status !== '' && { status }) },
    },
    () => refetchEvery,
  );
  const reply = query.data;
  usePageWithin(paging, query, reply?.totalPage);

  if (!reply && query.error) {
    return (
      <Panel>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Panel>
    );
  }
  const columns: readonly Column<Row, OrderKey>[] = [
    {
      id: 'file',
      header: t('user.file'),
      cell: ({ file }) => <NameLink to={toDetail('files', file.id)}>{file.name}</NameLink>,
      orderKey: 'file',
      isRowHeader: true,
    },
    shared.device,
    shared.version,
    {
      id: 'status',
      header: t('devices.status'),
      cell: (row) => (
        <div>
          <DeviceState row={row} />
          {row.reason !== null && (
            <SecondLine>
              <LongWord>{row.reason}</LongWord>
            </SecondLine>
          )}
        </div>
      ),
      orderKey: 'status',
      onCard: true,
    },
    shared.at,
  ];
  if (reply?.totalCount === 0 && status === '') {
    return (
      <Panel px="5" py="4">
        <chakra.p color="fg.muted">{t('user.none')}</chakra.p>
      </Panel>
    );
  }
  return (
    <>
      <Flex mb="2">
        <FilterChips
          label={t('devices.stateFilter')}
          options={deliveryRoutes.deliveryStates.map((state) => ({
            value: state,
            label: t(`states.${state}`),
          }))}
          value={status}
          onChange={(next) => {
            setStatus(next);
            paging.setPage(1);
          }}
        />
      </Flex>
      <Panel>
        {reply?.totalCount === 0 ? (
          <chakra.p color="fg.muted" px="5" py="4">
            {t('ui:noMatchTitle')}
          </chakra.p>
        ) : (
          <DataTable
            caption={t('user.title')}
            columns={columns}
            rows={reply?.devices}
            rowId={(row) => reply?.devices.indexOf(row) ?? 0}
            rowName={({ device, file }) => `${file.name} ${device.name}`}
            sort={{
              orderKey,
              order,
              sortBy: (key) =>
                setSort((before) => ({
                  orderKey: key,
                  order: before.orderKey === key && before.order === 'desc' ? 'asc' : 'desc',
                })),
            }}
            stale={query.isPlaceholderData}
            expectedRows={3}
            rowHeight="3.5rem"
          />
        )}
        {reply && reply.totalPage > 1 && (
          <Pager list={paging} totalPage={reply.totalPage} totalCount={reply.totalCount} />
        )}
      </Panel>
    </>
  );
}
