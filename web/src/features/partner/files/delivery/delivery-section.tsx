import { Box, chakra } from '@chakra-ui/react';
import { deliveryRoutes } from '@portal/contracts';
import { ListChecks } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileDetail } from '../../../../components/files/file.ts';
import { Loaded } from '../../../../components/loaded.tsx';
import { useApiQuery } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { movesEvery } from '../../../../lib/moves-every.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { DetailSkeleton } from '../../../../ui/feedback/states.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { Section } from '../../../../ui/page/section.tsx';
import { useFilesChanged } from '../use-files-changed.ts';
import type { Delivery } from './delivery.ts';
import { DeliveryChart } from './delivery-chart.tsx';
import { DeliveryFigures } from './delivery-figures.tsx';
import { ByGroup, ByVersion } from './delivery-tables.tsx';
import { devicesLink } from './device-links.ts';
import { FailureReasons } from './failure-reasons.tsx';

/** What has become of a file on the devices of those who are to have it, as it is at this moment. */
export function DeliverySection({ file }: { file: FileDetail }) {
  const { t } = useTranslation('delivery');
  const { number } = useFormat();
  const { partner } = usePartnerSession();
  const delivery = useApiQuery(
    deliveryRoutes.getDelivery,
    { params: { pid: partner.id, id: file.id } },
    { refetchInterval: movesEvery },
  );
  const { data } = delivery;
  useNewVersion(file.version, data?.version);
  return (
    <Section
      title={t('title')}
      lead={
        data &&
        data.version !== null &&
        t('lead', {
          version: data.version,
          count: data.targeted.devices,
          users: number(data.targeted.users),
        })
      }
      action={
        data &&
        data.version !== null && (
          <ButtonLink to={devicesLink(file, partner.name)} size="sm" variant="outline" icon={<ListChecks />}>
            {t('all')}
          </ButtonLink>
        )
      }
    >
      {delivery.isLoading && (
        <Panel px="5" py="2">
          <DetailSkeleton rows={3} />
        </Panel>
      )}
      <Loaded query={delivery}>{(loaded) => <DeliveryBody file={file} delivery={loaded} />}</Loaded>
    </Section>
  );
}

function DeliveryBody({ delivery, file }: { delivery: Delivery; file: FileDetail }) {
  const { t } = useTranslation('delivery');
  const { failureReasons, targeted, version, versions } = delivery;
  // A version that was halted may be for no device any more, and still tells why it failed.
  const hasNothing = targeted.devices === 0 && versions.length < 2 && failureReasons.length === 0;
  if (version === null || hasNothing) {
    return (
      <Panel px="5" py="4">
        <chakra.p color="fg.muted">{t(version === null ? 'nobody' : 'noDevices')}</chakra.p>
      </Panel>
    );
  }
  return (
    <Box display="grid" gap="3">
      <DeliveryFigures file={file} delivery={delivery} />
      <Box {...columns}>
        <DeliveryChart file={file} version={version} />
        <FailureReasons file={file} version={version} reasons={failureReasons} />
      </Box>
      <Box {...columns}>
        <ByGroup file={file} groups={delivery.groups} version={version} />
        <ByVersion file={file} versions={versions} current={version} />
      </Box>
    </Box>
  );
}

const columns = {
  display: 'grid',
  gap: '3',
  gridTemplateColumns: { base: 'minmax(0, 1fr)', xl: 'minmax(0, 3fr) minmax(0, 2fr)' },
} as const;

/**
 * Somebody else, or a time that came, has made another version the current one: the rest of the page is asked for again. That may have
 * been between its answer and the first one of the delivery.
 */
function useNewVersion(ofFile: number, version: number | null | undefined): void {
  const filesChanged = useFilesChanged();
  const known = useRef<number | null>(undefined);
  useEffect(() => {
    if (version === undefined) return;
    const first = version === null ? null : ofFile;
    if (version !== (known.current === undefined ? first : known.current)) void filesChanged();
    known.current = version;
  }, [version]);
}
