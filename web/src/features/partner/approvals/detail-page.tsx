import { chakra } from '@chakra-ui/react';
import { approvalRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { approvalsPath } from '../../../components/approval-paths.ts';
import { Effect } from '../../../components/effect/effect.tsx';
import { fileDetailPath } from '../../../components/files/file.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useApiQuery } from '../../../lib/api.ts';
import { editLink, idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Link } from '../../../ui/link.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { type Approval, ApprovalState, isTakenBack, useApprovalName } from './approval-parts.tsx';
import { Decision } from './decision.tsx';
import { useChangeItems } from './use-change-items.tsx';

/** Milliseconds between two looks at one that waits. */
const refetchEvery = 10_000;

export function ApprovalDetailPage() {
  const { t } = useTranslation(['approvals', 'shell']);
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  const nameOf = useApprovalName();
  const approval = useApiQuery(
    approvalRoutes.getApproval,
    { params: { pid: partner.id, id: idOf(params) } },
    { refetchInterval: refetchEvery },
  );
  const { data } = approval;
  return (
    <>
      <PageHeader
        title={data ? nameOf(data) : t('detail')}
        crumbs={[
          { label: t('shell:home'), to: '/partner/menu' },
          { label: t('title'), to: approvalsPath },
          { label: t('detail') },
        ]}
      />
      {data ? (
        <chakra.div maxW="page">
          <WhatBecameOfIt approval={data} />
          <Section title={t('change')}>
            <Change approval={data} />
          </Section>
          {data.preview && (
            <Section title={t('effect')} lead={t('effectLead')}>
              <Effect effect={data.preview} />
            </Section>
          )}
          <Section title={t('request')}>
            <Request approval={data} />
          </Section>
        </chakra.div>
      ) : (
        <RecordLoader
          queries={[approval]}
          rows={8}
          action={<ButtonLink to={approvalsPath}>{t('toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

/** What there is to decide, or what was decided. */
function WhatBecameOfIt({ approval }: { approval: Approval }) {
  const { t } = useTranslation('approvals');
  if (approval.state === 'waiting') return <Decision approval={approval} />;
  const outcome = isTakenBack(approval) ? 'takenBack' : approval.state;
  const { comment, decidedBy } = approval;
  return (
    <chakra.div mb="7">
      <Notice tone={outcome === 'approved' ? 'success' : 'info'}>
        <p>{t(`outcomes.${outcome}`, { name: decidedBy?.name ?? '' })}</p>
        {comment && (
          <chakra.p mt="1" whiteSpace="pre-line" overflowWrap="anywhere">
            {t('said', { comment })}
          </chakra.p>
        )}
      </Notice>
    </chakra.div>
  );
}

function Change({ approval }: { approval: Approval }) {
  const { t } = useTranslation('approvals');
  const { partner } = usePartnerSession();
  const { file, what } = approval;
  const items = useChangeItems(approval);
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('what.label'), value: t(`what.${what}`) },
          ...(file
            ? [
                {
                  label: t('file'),
                  value: <Link to={editLink(fileDetailPath, file.id, partner.name)}>{file.name}</Link>,
                },
              ]
            : []),
          ...items,
        ]}
      />
    </Panel>
  );
}

function Request({ approval }: { approval: Approval }) {
  const { t } = useTranslation('approvals');
  const { dateTime } = useFormat();
  const { at, by, decidedAt, decidedBy, expiresAt, id, state } = approval;
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('state'), value: <ApprovalState approval={approval} /> },
          { label: t('id'), value: id },
          { label: t('by'), value: by.name },
          { label: t('at'), value: dateTime(at) },
          ...(state === 'waiting'
            ? [{ label: t('expiresAt'), value: dateTime(expiresAt) }]
            : [
                ...(decidedBy ? [{ label: t('decidedBy'), value: decidedBy.name }] : []),
                { label: t('decidedAt'), value: dateTime(decidedAt) },
              ]),
        ]}
      />
    </Panel>
  );
}
