import { deliveryRoutes, fileRoutes, type RouteReply } from '@portal/contracts';
import { FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { CsvExportButton } from '../../../../components/csv-export-button.tsx';
import { DeviceState } from '../../../../components/files/device-state.tsx';
import { useDeviceColumns } from '../../../../components/files/use-device-columns.tsx';
import { useReceiverOptions } from '../../../../components/groups/use-pickable-groups.ts';
import { useTenantLinks } from '../../../../components/tenant.ts';
import { useApi, useApiList, useApiQuery } from '../../../../lib/api.ts';
import { idOf } from '../../../../lib/edit-link.ts';
import { useFormat } from '../../../../lib/format.ts';
import type { Filtered } from '../../../../lib/list/filter-values.ts';
import { useShownColumns } from '../../../../lib/list/list-choices.ts';
import { useListState } from '../../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../../lib/list/use-page-within.ts';
import { movesEvery } from '../../../../lib/moves-every.ts';
import { useMay, usePartnerSession } from '../../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import type { Column } from '../../../../ui/list/data-table.tsx';
import { FilterChips } from '../../../../ui/list/filter-chips.tsx';
import { ListChoices } from '../../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../../ui/list/list-filters.tsx';
import { ListView } from '../../../../ui/list/list-view.tsx';
import { NameLink } from '../../../../ui/list/name-link.tsx';
import { SecondLine } from '../../../../ui/list/second-line.tsx';
import { LongWord } from '../../../../ui/long-word.tsx';
import { PageHeader } from '../../../../ui/page/page-header.tsx';
import { devicesCsvCalls } from './devices-csv-calls.ts';

type Device = RouteReply<typeof deliveryRoutes.listDeliveryDevices>['devices'][number];
type OrderKey = (typeof deliveryRoutes.deliveryOrderKeys)[number];

const filterValues = {
  status: { someOf: deliveryRoutes.deliveryStates },
  user: 'text',
  device: 'text',
  version: 'number',
  reason: 'text',
  group: 'group',
  atStart: 'time',
  atEnd: 'time',
  targeted: ['true'],
} as const;
type Filters = Filtered<typeof filterValues>;

const listOptions = { orderKeys: deliveryRoutes.deliveryOrderKeys, filters: filterValues } as const;

/** The devices that are to have a file, and what has become of it on each: what stands behind the numbers. */
export function DeliveryDevicesPage() {
  const { t } = useTranslation(['delivery', 'files', 'shell', 'ui']);
  const shared = useDeviceColumns();
  const format = useFormat();
  const api = useApi();
  const may = useMay();
  const { partner } = usePartnerSession();
  const [address] = useSearchParams();
  const { toDetail, toList } = useTenantLinks();
  const params = { pid: partner.id, id: idOf(address) };
  const file = useApiQuery(fileRoutes.getFile, { params });
  const list = useListState<OrderKey, Filters>(listOptions);
  const { filters, order, orderKey, page, perPage } = list;
  // What is empty is not asked for.
  const asked = Object.fromEntries(Object.entries(list.asked).filter(([, value]) => value !== ''));
  const query = useApiList(
    deliveryRoutes.listDeliveryDevices,
    { params, query: { page, perPage, orderKey, order, ...asked } },
    () => movesEvery,
  );
  const reply = query.data;
  usePageWithin(list, query, reply?.totalPage);
  const name = file.data?.name ?? '';

  const columns: readonly Column<Device, OrderKey>[] = [
    {
      id: 'user',
      header: t('devices.user'),
      cell: ({ user }) => (
        <>
          {may('getUser') ? (
            <NameLink to={toDetail('users', user.id)}>{user.name}</NameLink>
          ) : (
            <LongWord>{user.name}</LongWord>
          )}
          <SecondLine>{user.loginId}</SecondLine>
        </>
      ),
      orderKey: 'user',
      isRowHeader: true,
    },
    shared.device,
    shared.version,
    {
      id: 'status',
      header: t('devices.status'),
      cell: (row) => <DeviceState row={row} />,
      orderKey: 'status',
      onCard: true,
    },
    {
      id: 'reason',
      header: t('devices.reason'),
      cell: ({ reason }) => (reason === null ? null : <LongWord>{reason}</LongWord>),
      orderKey: 'reason',
      wideOnly: 'xl',
      onCard: true,
    },
    shared.at,
  ];

  return (
    <>
      <PageHeader
        title={t('devices.title', { name })}
        count={reply && t('ui:count', { count: format.number(reply.totalCount) })}
        crumbs={[
          { label: t('shell:home'), to: '/partner/menu' },
          { label: t('files:title'), to: toList('files') },
          { label: name, to: toDetail('files', params.id) },
          { label: t('devices.crumb') },
        ]}
        action={
          <>
            {may('createDeliveryCsv') && (
              <CsvExportButton
                name={`delivery:${partner.id}:${params.id}`}
                calls={devicesCsvCalls(api, params, asked)}
                label={
                  list.isFiltered && reply
                    ? t('ui:csvThese', { count: format.number(reply.totalCount) })
                    : undefined
                }
              />
            )}
            <ButtonLink to={toDetail('files', params.id)} variant="outline" icon={<FileText />}>
              {t('devices.toFile')}
            </ButtonLink>
          </>
        }
      />
      <ListFilters
        list={list}
        choices={<ListChoices name="deliveryDevices" columns={columns} whose={['id', 'pn']} />}
        presets={[{ label: t('devices.targeted'), filters: { targeted: 'true' } }]}
        filters={{
          user: { kind: 'text', label: t('devices.user') },
          device: { kind: 'text', label: t('devices.device') },
          version: { kind: 'number', label: t('devices.version') },
          reason: { kind: 'text', label: t('devices.reason') },
          ...(may('listGroups') && {
            group: { kind: 'lookup', label: t('devices.group'), useOptions: useReceiverOptions } as const,
          }),
          atStart: { kind: 'time', label: t('devices.atStart') },
          atEnd: { kind: 'time', label: t('devices.atEnd') },
        }}
      >
        <FilterChips
          label={t('devices.stateFilter')}
          options={deliveryRoutes.deliveryStates.map((state) => ({
            value: state,
            label: t(`states.${state}`),
          }))}
          value={filters.status}
          onChange={(status) => list.setFilters({ ...filters, status })}
        />
      </ListFilters>
      <ListView
        caption={t('devices.title', { name })}
        list={list}
        query={query}
        page={reply}
        rows={reply?.devices}
        columns={useShownColumns('deliveryDevices', columns)}
        rowId={(row) => reply?.devices.indexOf(row) ?? 0}
        rowName={({ device, user }) => `${user.name} ${device.name}`}
        rowHeight="3.5rem"
        emptyTitle={t('devices.emptyTitle')}
        emptyText={t('devices.emptyText')}
      />
    </>
  );
}
