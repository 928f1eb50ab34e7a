import { chakra } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DeviceTable } from './device-table.tsx';
import type { Device, UserValues } from './user-flows.ts';

/** The devices of a user that stay. One is taken away after a dialog, for good when the form is saved. */
export function DevicesField({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation('users');
  const { partner } = usePartnerSession();
  const { control, setValue } = useFormContext<UserValues>();
  const removed = useWatch({ control, name: 'removedUuids' });
  const [asked, setAsked] = useState<Device>();
  const staying = devices.filter(({ uuid }) => !removed.includes(uuid));
  const gone = devices.filter(({ uuid }) => removed.includes(uuid));
  const nameOf = ({ name, uuid }: Device) => name || uuid;

  return (
    <>
      <DeviceTable
        caption={t('devices.title')}
        devices={staying}
        action={(device) => (
          <IconButton
            size="xs"
            label={t('devices.removeOne', { name: nameOf(device) })}
            icon={<Trash2 />}
            onClick={() => setAsked(device)}
          />
        )}
      />
      {gone.length > 0 && (
        <Notice tone="warning">
          {t('devices.willGo')}
          <chakra.ul ps="5" listStyleType="disc">
            {gone.map((device) => (
              <li key={device.uuid}>{nameOf(device)}</li>
            ))}
          </chakra.ul>
          <Button
            mt="2"
            size="xs"
            variant="outline"
            colorPalette="gray"
            onClick={() => setValue('removedUuids', [])}
          >
            {t('devices.keep')}
          </Button>
        </Notice>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={t('devices.removeTitle')}
        confirmLabel={t('devices.remove')}
        onConfirm={() => {
          if (asked) setValue('removedUuids', [...removed, asked.uuid]);
          setAsked(undefined);
        }}
        onCancel={() => setAsked(undefined)}
      >
        {t(`devices.removeText.${partner.licenseType}`, { name: asked ? nameOf(asked) : '' })}
      </ConfirmDialog>
    </>
  );
}
