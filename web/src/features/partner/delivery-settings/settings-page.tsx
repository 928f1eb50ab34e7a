import { chakra } from '@chakra-ui/react';
import { deliveryRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useApiQuery } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { TwoPeople } from './two-people.tsx';
import { VersionsKept } from './versions-kept.tsx';

/** What holds for the delivery of all files of a company. */
export function DeliverySettingsPage() {
  const { t } = useTranslation(['deliverySettings', 'shell']);
  const { partner } = usePartnerSession();
  const settings = useApiQuery(deliveryRoutes.getDeliverySettings, { params: { pid: partner.id } });
  return (
    <>
      <PageHeader
        title={t('title')}
        crumbs={[{ label: t('shell:home'), to: '/partner/menu' }, { label: t('title') }]}
      />
      {settings.data ? (
        <chakra.div maxW="form">
          <TwoPeople settings={settings.data} />
          <VersionsKept settings={settings.data} />
        </chakra.div>
      ) : (
        <RecordLoader
          queries={[settings]}
          rows={3}
          action={<ButtonLink to="/partner/menu">{t('shell:home')}</ButtonLink>}
        />
      )}
    </>
  );
}
