import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { OperationList } from '../../../components/operation-log/operation-list.tsx';
import { OperationTable } from '../../../components/operation-log/operation-table.tsx';
import { usePartner, usePartnerCrumbs } from '../../../components/use-partner-crumbs.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Section } from '../../../ui/page/section.tsx';

/** What the people of one company have done, and what administrators have done with it. */
export function PartnerLogPage() {
  const { t } = useTranslation(['operationLogs', 'shell']);
  const may = useMay();
  const [params] = useSearchParams();
  const about = { id: idOf(params), name: params.get('pn') ?? '' };
  const { name } = usePartner(about);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={name}
        crumbs={[
          { label: t('shell:home'), to: '/admin/menu' },
          ...usePartnerCrumbs(about),
          { label: t('title') },
        ]}
      />
      <Section title={t('byPeople')} lead={t('byPeopleLead')}>
        <OperationList of={about.id} />
      </Section>
      {may('listAllOperationLogs') && (
        <Section title={t('byAdministrators')} lead={t('byAdministratorsLead')}>
          <OperationTable
            caption={t('byAdministrators')}
            perPage={10}
            asked={{ targetKind: 'partner', targetId: about.id }}
            withTarget={false}
            emptyTitle={t('noHistory')}
            emptyText={t('noHistoryText')}
          />
        </Section>
      )}
    </>
  );
}
