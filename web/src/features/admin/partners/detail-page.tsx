import { chakra } from '@chakra-ui/react';
import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { partnerListPath } from '../../../components/partner-links.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { type DescriptionItem, DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

type Partner = RouteReply<typeof tenantRoutes.getPartner>;

export function PartnerDetailPage() {
  const { t } = useTranslation(['partners', 'shell']);
  const [params] = useSearchParams();
  const partner = useApiQuery(tenantRoutes.getPartner, { params: { pid: idOf(params) } });
  const toList = (
    <ButtonLink to={partnerListPath} variant="outline" colorPalette="gray">
      {t('toList')}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={partner.data?.name ?? t('detail')}
        crumbs={[
          { label: t('shell:home'), to: '/admin/menu' },
          { label: t('title'), to: partnerListPath },
          { label: t('detail') },
        ]}
        action={toList}
      />
      {partner.data ? (
        <PartnerFacts partner={partner.data} />
      ) : (
        <RecordLoader queries={[partner]} rows={14} action={toList} />
      )}
    </>
  );
}

function PartnerFacts({ partner }: { partner: Partner }) {
  const { t } = useTranslation(['partners', 'ui', 'auth']);
  const { dateTime, number } = useFormat();
  const textOrNone = (value: string | null) => value || t('ui:none');
  const onOrOff = (flag: boolean) => (flag ? t('on') : t('off'));
  const limit = (value: number) => (value === 0 ? t('unlimited') : number(value));
  return (
    <>
      <Facts
        title={t('contract')}
        items={[
          { label: t('id'), value: partner.id },
          { label: t('code'), value: partner.partnerCode },
          { label: t('unit'), value: partner.unitName },
          { label: t('rank'), value: t(`auth:ranks.${partner.contractRank}`) },
          { label: t('licenseType'), value: t(`auth:licenseTypes.${partner.licenseType}`) },
          { label: t('licenseCount'), value: number(partner.licenseCount) },
          { label: t('licenseExpiredOn'), value: <LicenceEnd expiredOn={partner.licenseExpiredOn} /> },
        ]}
      />
      <Facts
        title={t('limits')}
        items={[
          { label: t('userDeviceLimit'), value: limit(partner.userDeviceLimit) },
          { label: t('uapFileLimit'), value: limit(partner.uapFileLimit) },
          { label: t('filePublic'), value: onOrOff(partner.filePublicFlag) },
          { label: t('operationLog'), value: onOrOff(partner.operationLogDownloadFlag) },
        ]}
      />
      <Facts
        title={t('contact')}
        items={[
          { label: t('email'), value: textOrNone(partner.email) },
          { label: t('managers'), value: textOrNone(partner.managers) },
          { label: t('lang'), value: t(`languages.${partner.lang}`) },
          { label: t('bounces'), value: `${number(partner.bounceCount)} / ${number(partner.mailCount)}` },
          { label: t('partnerItem'), value: textOrNone(partner.partnerItem) },
          { label: t('json'), value: textOrNone(partner.json) },
          { label: t('comment'), value: textOrNone(partner.comment) },
          { label: t('createdAt'), value: dateTime(partner.createdAt) },
          { label: t('updatedAt'), value: dateTime(partner.updatedAt) },
        ]}
      />
    </>
  );
}

function Facts({ title, items }: { title: string; items: readonly DescriptionItem[] }) {
  return (
    <chakra.section mb="6">
      <chakra.h2 mb="2" fontSize="md" fontWeight="semibold">
        {title}
      </chakra.h2>
      <Panel maxW="form">
        <DescriptionList items={items} />
      </Panel>
    </chakra.section>
  );
}
