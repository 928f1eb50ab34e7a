import { batchRoutes, pushRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { defineRecord, type RecordLinks } from '../../../components/record/record.ts';
import { useOwnCompany } from '../../../components/record/use-record.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { SecondLine } from '../../../ui/list/second-line.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { AudienceCount } from './audience-count.tsx';
import { DeliveryTime, NotificationBody } from './notification-body.tsx';
import { NotificationForm, useNotificationLabels } from './notification-form.tsx';
import { DeliveryCounts, NotificationStatus, Recipients } from './notification-parts.tsx';
import { notificationPaths } from './notification-paths.ts';
import {
  emptyNotification,
  type Notification,
  type NotificationValues,
  namedNotification,
  notificationBody,
  notificationValuesOf,
} from './notification-rules.ts';
import { useCertificationOptions } from './use-certification-options.ts';

type OrderKey = (typeof pushRoutes.notificationOrderKeys)[number];

function useColumns({ toDetail }: RecordLinks): readonly Column<Notification, OrderKey>[] {
  const { t } = useTranslation('pushNotifications');
  const { dateTime } = useFormat();
  return [
    {
      id: 'id',
      header: t('id'),
      cell: ({ id }) => id,
      orderKey: 'id',
      numeric: true,
      width: '4rem',
      wideOnly: '2xl',
    },
    {
      id: 'title',
      header: t('name'),
      cell: (notification) => (
        <>
          <NameLink to={toDetail(notification)}>{notification.name}</NameLink>
          {notification.title && <SecondLine>{notification.message}</SecondLine>}
        </>
      ),
      orderKey: 'title',
      isRowHeader: true,
      width: '30%',
    },
    {
      id: 'status',
      header: t('status'),
      cell: ({ status }) => <NotificationStatus status={status} />,
      orderKey: 'status',
      width: '7rem',
      onCard: true,
    },
    {
      id: 'recipients',
      header: t('deliverToType'),
      cell: (notification) => <Recipients notification={notification} />,
      wideOnly: 'xl',
      onCard: true,
    },
    {
      id: 'counts',
      header: t('devices'),
      cell: (notification) => <DeliveryCounts {...notification} />,
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'deliverDatetime',
      header: t('deliverDatetime'),
      cell: (notification) => dateTime(notification.deliverDatetime ?? notification.createdAt),
      orderKey: 'deliverDatetime',
      numeric: true,
      width: '10.5rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'createdAt',
      header: t('createdAt'),
      cell: ({ createdAt }) => dateTime(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      width: '10.5rem',
      wideOnly: '2xl',
    },
  ];
}

/** What the confirmation shows; with what was before, changes are marked. */
function useItems(
  values: NotificationValues,
  before?: NotificationValues,
  notification?: Pick<Notification, 'certificationId'>,
): DescriptionItem[] {
  const { t } = useTranslation(['pushNotifications', 'ui']);
  const labels = useNotificationLabels();
  const certifications = useCertificationOptions(notification?.certificationId);
  const { data: groups = [] } = usePickableGroups();
  const textOrNone = (value: string) => (value === '' ? t('ui:none') : value);
  const timeOf = ({ deliverDatetime, deliverType }: NotificationValues) =>
    deliverType === 'deliverNow' ? '' : deliverDatetime;
  const nameOfGroup = (id: number) => groups.find((group) => group.id === id)?.title ?? String(id);
  const whomOf = ({ deliverToType, groupId, users }: NotificationValues) => {
    if (deliverToType === 'group') return nameOfGroup(groupId);
    return deliverToType === 'users'
      ? users.map(({ loginId }) => loginId).join(', ')
      : t('deliverToTypes.all');
  };
  return [
    changedItem(labels.title, values.title, before?.title, textOrNone),
    changedItem(labels.message, values.message, before?.message, textOrNone),
    changedItem(labels.deliverDatetime, timeOf(values), before && timeOf(before), (time) => (
      <DeliveryTime notification={{ deliverDatetime: time || null }} />
    )),
    changedItem(labels.deliverToType, whomOf(values), before && whomOf(before), (whom) => whom),
    { label: t('audience.label'), value: <AudienceCount values={values} /> },
    changedItem(
      labels.certificationId,
      values.certificationId,
      before?.certificationId,
      (id) => certifications.find(({ value }) => value === String(id))?.label ?? String(id),
    ),
    changedItem(labels.json, values.json, before?.json, textOrNone),
  ];
}

export const record = defineRecord({
  paths: notificationPaths,
  texts: 'pushNotifications',
  lines: 8,
  useScope: useOwnCompany,
  idParam: 'id',
  calls: {
    list: pushRoutes.listNotifications,
    get: pushRoutes.getNotification,
    create: pushRoutes.createNotification,
    update: pushRoutes.updateNotification,
    remove: pushRoutes.deleteNotification,
    csv: {
      create: batchRoutes.createPushNotificationsCsv,
      status: batchRoutes.getPushNotificationsCsv,
      url: batchRoutes.getPushNotificationsCsvUrl,
      cancel: batchRoutes.cancelPushNotificationsCsv,
    },
  },
  recordOf: namedNotification,
  // What tells of a file is the file's.
  canChange: ({ fileId, status }) => status === 'waiting' && fileId === null,
  list: {
    orderKeys: pushRoutes.notificationOrderKeys,
    filters: {
      q: 'text',
      status: { someOf: pushRoutes.notificationStatuses },
      title: 'text',
      deliverDatetimeStart: 'time',
      deliverDatetimeEnd: 'time',
      createdAtStart: 'time',
      createdAtEnd: 'time',
    },
    useChips() {
      const { t } = useTranslation('pushNotifications');
      return {
        name: 'status',
        label: t('status'),
        options: pushRoutes.notificationStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
      };
    },
    isMoving: ({ status }) => status === 'delivering',
    pageOf: (reply) => ({ ...reply, rows: reply.pushNotifications.map(namedNotification) }),
    useColumns,
    csv: { fileName: 'push_notifications.csv', query: () => ({ tz: viewerZone() }), takesFilter: true },
  },
  form: {
    empty: emptyNotification,
    valuesOf: notificationValuesOf,
    Form: NotificationForm,
    useItems,
    nameOf: ({ message, title }: NotificationValues) => title || message,
    newBody: notificationBody,
    editedBody: notificationBody,
  },
  detail: {
    useTitle:
      () =>
      ({ name }) =>
        name,
    Body: NotificationBody,
  },
});
