import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { osName } from '../../../components/users/os-types.ts';
import { useFormat } from '../../../lib/format.ts';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import type { Device } from './user-flows.ts';

/** As the services call themselves. */
const pushServiceNames: Readonly<Record<NonNullable<Device['pushService']>, string>> = {
  fcm: 'FCM',
  apns: 'APNs',
};

interface DeviceTableProps {
  caption: string;
  devices: readonly Device[];
  /** At the end of each row. */
  action?: (device: Device) => ReactNode;
}

function SmallLine(props: HTMLChakraProps<'span'>) {
  return (
    <chakra.span
      display="block"
      fontSize="xs"
      fontWeight="normal"
      color="fg.muted"
      overflowWrap="anywhere"
      {...props}
    />
  );
}

/** The devices of a user: what they are, and when they were seen first and last. */
export function DeviceTable({ caption, devices, action }: DeviceTableProps) {
  const { t } = useTranslation(['users', 'ui']);
  const format = useFormat();
  if (devices.length === 0) {
    return (
      <Panel px="5" py="4">
        <chakra.p color="fg.muted">{t('devices.none')}</chakra.p>
      </Panel>
    );
  }
  const pushOf = ({ pushService }: Device) =>
    pushService === null
      ? t('devices.pushNone')
      : t('devices.pushReaches', { service: pushServiceNames[pushService] });
  const firstSeen: Column<Device> = {
    id: 'createdAt',
    header: t('devices.firstSeen'),
    cell: ({ createdAt }) => format.dateTime(createdAt),
    numeric: true,
    wideOnly: true,
  };
  const columns: readonly Column<Device>[] = [
    {
      id: 'name',
      header: t('devices.name'),
      cell: (device) => (
        <>
          <LongWord>{device.name || t('devices.unnamed')}</LongWord>
          <SmallLine>{device.uuid}</SmallLine>
          <SmallLine hideFrom="md">
            {`${t('devices.player')}: ${device.playerVersion || t('ui:none')}`}
          </SmallLine>
          <SmallLine>{`${t('devices.push')}: ${pushOf(device)}`}</SmallLine>
          <SmallLine hideFrom={action ? undefined : 'md'}>
            {`${t('devices.firstSeen')}: ${format.dateTime(device.createdAt)}`}
          </SmallLine>
          <SmallLine hideFrom="md">
            {`${t('devices.lastSeen')}: ${format.dateTime(device.lastLoginAt)}`}
          </SmallLine>
        </>
      ),
      isRowHeader: true,
    },
    {
      id: 'os',
      header: t('devices.os'),
      cell: ({ osType, osVersion }) => osName(osType, osVersion) || t('ui:none'),
    },
    {
      id: 'player',
      header: t('devices.player'),
      cell: ({ playerVersion }) => playerVersion || t('ui:none'),
      wideOnly: true,
    },
    // A form is narrower than a page: there it stands below the name.
    ...(action ? [] : [firstSeen]),
    {
      id: 'lastLoginAt',
      header: t('devices.lastSeen'),
      cell: ({ lastLoginAt }) => format.dateTime(lastLoginAt),
      numeric: true,
      wideOnly: true,
    },
  ];
  return (
    <Panel>
      <DataTable
        caption={caption}
        columns={columns}
        rows={devices}
        rowId={(device) => devices.indexOf(device)}
        rowName={({ name }) => name}
        {...(action ? { rowActions: action } : {})}
      />
    </Panel>
  );
}
