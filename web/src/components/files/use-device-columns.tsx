import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Column } from '../../ui/list/data-table.tsx';
import { DeviceName, type DeviceRow } from './device-state.tsx';

type Key = 'device' | 'version' | 'at';

/** What every list of deliveries to devices shows: the device, the version that it is to have, and when it last told. */
export function useDeviceColumns(): Readonly<Record<Key, Column<DeviceRow, Key>>> {
  const { t } = useTranslation('delivery');
  const { dateTime, number } = useFormat();
  return {
    device: {
      id: 'device',
      header: t('devices.device'),
      cell: (row) => <DeviceName device={row.device} />,
      orderKey: 'device',
      wideOnly: true,
      onCard: true,
    },
    version: {
      id: 'version',
      header: t('devices.version'),
      cell: ({ version }) => number(version),
      orderKey: 'version',
      numeric: true,
      width: '6rem',
      wideOnly: true,
      onCard: true,
    },
    at: {
      id: 'at',
      header: t('devices.at'),
      cell: ({ at }) => dateTime(at),
      orderKey: 'at',
      numeric: true,
      width: '10rem',
      wideOnly: true,
      onCard: true,
    },
  };
}
