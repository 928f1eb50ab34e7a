import { Badge, chakra } from '@chakra-ui/react';
import type { deliveryRoutes, RouteReply } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { SecondLine } from '../../ui/list/second-line.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { osName } from '../users/os-types.ts';

/** What has become of a version of a file on a device. */
export type DeviceRow = Omit<
  RouteReply<typeof deliveryRoutes.listDeliveryDevices>['devices'][number],
  'user'
>;
export type DeliveryState = DeviceRow['status'];

const tones: Readonly<Record<DeliveryState, string>> = {
  not_seen: 'gray',
  seen: 'gray',
  downloading: 'accent',
  downloaded: 'accent',
  installed: 'success',
  failed: 'danger',
  removed: 'warning',
};

/** The state in a word, how far a download is, and who told of it where it was not the device. */
export function DeviceState({ row: { progress, status, toldBy } }: { row: DeviceRow }) {
  const { t } = useTranslation('delivery');
  const { percent } = useFormat();
  return (
    <div>
      <Badge colorPalette={tones[status]}>{t(`states.${status}`)}</Badge>
      {status === 'downloading' && progress !== null && (
        <chakra.span ms="2" fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          {percent(progress)}
        </chakra.span>
      )}
      {toldBy === 'gateway' && <SecondLine>{t('devices.byGateway')}</SecondLine>}
    </div>
  );
}

/** What the device is called, and what it is. */
export function DeviceName({ device }: Pick<DeviceRow, 'device'>) {
  const { t } = useTranslation('delivery');
  const { name, osType, osVersion, playerVersion } = device;
  return (
    <div>
      <LongWord>{name || t('devices.unnamed')}</LongWord>
      <SecondLine>
        {[osName(osType, osVersion), playerVersion && t('devices.player', { version: playerVersion })]
          .filter(Boolean)
          .join(' · ')}
      </SecondLine>
    </div>
  );
}
