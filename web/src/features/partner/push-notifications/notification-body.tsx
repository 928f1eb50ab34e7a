import { chakra } from '@chakra-ui/react';
import { pushRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { Tags } from '../../../ui/tags.tsx';
import { DeliveryCounts, NotificationStatus, Recipients } from './notification-parts.tsx';
import type { Notification } from './notification-rules.ts';
import { PhonePreview } from './phone-preview.tsx';
import { useCertificationOptions } from './use-certification-options.ts';
import { useReasonText } from './use-reason-text.ts';

/** Milliseconds between two looks at one that is under way, and at one that waits for its time. */
const refetchEvery = { delivering: 1000, waiting: 5000 } as const;

/** The page of one notification: how far it is, why devices did not take it, what it says and to whom. */
export function NotificationBody({ record: notification }: { record: Notification }) {
  const { t } = useTranslation('pushNotifications');
  const { partner } = usePartnerSession();
  const { status } = notification;
  const isUnderWay = status === 'delivering' || status === 'waiting';
  // The page shows what this brings: it is the same question.
  useApiQuery(
    pushRoutes.getNotification,
    { params: { pid: partner.id, id: notification.id } },
    isUnderWay ? { refetchInterval: refetchEvery[status] } : {},
  );
  return (
    <>
      <Section title={t('result')}>
        <Panel>
          {status === 'delivering' && <Progress notification={notification} />}
          <Results notification={notification} />
        </Panel>
      </Section>
      {notification.failureReasons.length > 0 && (
        <Section title={t('reasonsTitle')}>
          <Reasons reasons={notification.failureReasons} />
        </Section>
      )}
      <Content notification={notification} />
    </>
  );
}

function Progress({ notification }: { notification: Notification }) {
  const { t } = useTranslation('pushNotifications');
  const { failureCount, successCount, targetCount } = notification;
  return (
    <chakra.div px="5" pt="4" aria-live="polite">
      <ProgressBar
        label={t('statuses.delivering')}
        share={targetCount === 0 ? 0 : (successCount + failureCount) / targetCount}
      />
    </chakra.div>
  );
}

function Results({ notification }: { notification: Notification }) {
  const { t } = useTranslation('pushNotifications');
  const format = useFormat();
  return (
    <DescriptionList
      items={[
        { label: t('status'), value: <NotificationStatus status={notification.status} /> },
        { label: t('deliverDatetime'), value: <DeliveryTime notification={notification} /> },
        { label: t('devices'), value: <DeliveryCounts {...notification} /> },
        { label: t('startedAt'), value: format.dateTime(notification.startedAt) },
        { label: t('finishedAt'), value: format.dateTime(notification.finishedAt) },
      ]}
    />
  );
}

export function DeliveryTime({ notification }: { notification: Pick<Notification, 'deliverDatetime'> }) {
  const { t } = useTranslation('pushNotifications');
  const { dateTimeWithZone } = useFormat();
  const { deliverDatetime } = notification;
  return deliverDatetime === null ? t('deliverTypes.deliverNow') : dateTimeWithZone(deliverDatetime);
}

function Reasons({ reasons }: { reasons: Notification['failureReasons'] }) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  const textOf = useReasonText();
  return (
    <Panel>
      <DescriptionList
        items={reasons.map(({ count, reason }) => ({
          label: reason,
          value: t('reasonOf', { reason: textOf(reason), count: number(count) }),
        }))}
      />
    </Panel>
  );
}

function Content({ notification }: { notification: Notification }) {
  const { t } = useTranslation(['pushNotifications', 'ui']);
  const { dateTime } = useFormat();
  const { certificationId, json, message, title, userCount, users } = notification;
  const certifications = useCertificationOptions(certificationId);
  const certification = certifications.find(({ value }) => value === String(certificationId ?? 0));
  return (
    <Section title={t('content')}>
      <chakra.div
        display="grid"
        gap="6"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) auto' }}
      >
        <Panel alignSelf="start">
          <DescriptionList
            items={[
              { label: t('pushTitle'), value: title || t('ui:none') },
              { label: t('message'), value: message },
              { label: t('deliverToType'), value: <Recipients notification={notification} /> },
              ...(userCount > 0
                ? [
                    {
                      label: t('users'),
                      value: <Tags names={users.map(({ loginId }) => loginId)} none="" most={50} />,
                    },
                  ]
                : []),
              { label: t('certification'), value: certification?.label ?? String(certificationId) },
              { label: t('json'), value: json || t('ui:none') },
              { label: t('createdAt'), value: dateTime(notification.createdAt) },
              { label: t('updatedAt'), value: dateTime(notification.updatedAt) },
            ]}
          />
        </Panel>
        <PhonePreview title={title ?? ''} message={message} at={notification.deliverDatetime ?? ''} />
      </chakra.div>
    </Section>
  );
}
