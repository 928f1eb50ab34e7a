import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { partnerDetailLink } from '../../../components/partner-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { Link } from '../../../ui/link.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { ApplicationDelivery } from './application-delivery.tsx';
import { useSaleTypeName } from './application-form.tsx';
import { ApplicationStatus, Destination } from './application-parts.tsx';
import type { Application } from './application-rules.ts';
import { ApplicationStages } from './application-stages.tsx';
import { ApplicationVersions } from './application-versions.tsx';
import { ResumeApplication } from './resume-application.tsx';

/** The page of one application. */
export function ApplicationBody({ record: application }: { record: Application }) {
  const { t } = useTranslation('applications');
  const format = useFormat();
  const may = useMay();
  const saleTypeName = useSaleTypeName();
  const { allDeliverFlag, partners, publisher } = application;
  const isNamed = !allDeliverFlag && partners.length > 0;
  return (
    <>
      <ResumeApplication application={application} />
      <Section title={t('facts')}>
        <Panel>
          <DescriptionList
            items={[
              { label: t('status'), value: <ApplicationStatus application={application} /> },
              { label: t('id'), value: application.id },
              { label: t('saleType'), value: saleTypeName(application.saleType) },
              { label: t('fileName'), value: application.fileName },
              { label: t('size'), value: format.fileSize(application.fileSize) },
              { label: t('version'), value: application.version },
              { label: t('publisher'), value: publisher ?? t('platform') },
              { label: t('createdAt'), value: format.dateTime(application.createdAt) },
              { label: t('updatedAt'), value: format.dateTime(application.updatedAt) },
            ]}
          />
        </Panel>
      </Section>
      <Section title={isNamed ? t('destinationCounted', { count: partners.length }) : t('destination')}>
        <Panel p="5">
          {isNamed ? (
            <chakra.ul
              listStyleType="disc"
              ps="5"
              maxH="24rem"
              overflowY="auto"
              css={{ '& > li': { py: '1' } }}
            >
              {partners.map(({ id, name }) => (
                <li key={id}>
                  <Link to={partnerDetailLink({ id, name })}>{name}</Link>
                </li>
              ))}
            </chakra.ul>
          ) : (
            <Destination application={application} />
          )}
        </Panel>
      </Section>
      {may('getApplicationRollout') && <ApplicationStages application={application} />}
      {may('getApplicationDelivery') && <ApplicationDelivery id={application.id} />}
      {may('listApplicationVersions') && <ApplicationVersions application={application} />}
    </>
  );
}
