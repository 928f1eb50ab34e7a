import { Badge, chakra, Flex } from '@chakra-ui/react';
import type { pushRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import type { Notification } from './notification-rules.ts';

const palettes: Readonly<Record<pushRoutes.NotificationStatus, string>> = {
  waiting: 'gray',
  delivering: 'info',
  success: 'success',
  failure: 'danger',
};

export function NotificationStatus({ status }: Pick<Notification, 'status'>) {
  const { t } = useTranslation('pushNotifications');
  return <Badge colorPalette={palettes[status]}>{t(`statuses.${status}`)}</Badge>;
}

type Counts = Pick<Notification, 'failureCount' | 'status' | 'successCount' | 'targetCount'>;

/** How many devices took it and how many did not, as a bar and in figures. */
export function DeliveryCounts({ failureCount, status, successCount, targetCount }: Counts) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  if (status === 'waiting') return <chakra.span color="fg.muted">{t('counts.waiting')}</chakra.span>;
  if (targetCount === 0) return <chakra.span color="fg.muted">{t('counts.none')}</chakra.span>;
  const share = (count: number) => `${(count / targetCount) * 100}%`;
  const figures = t('counts.figures', {
    taken: number(successCount),
    failed: number(failureCount),
    total: number(targetCount),
  });
  return (
    <chakra.span display="block" minW="8rem" maxW="16rem">
      <chakra.span fontVariantNumeric="tabular-nums" fontSize="xs">
        {figures}
      </chakra.span>
      <Flex aria-hidden mt="1" h="1.5" overflow="hidden" borderRadius="full" bg="bg.emphasized">
        <chakra.span h="full" bg="success.solid" style={{ width: share(successCount) }} />
        <chakra.span h="full" bg="danger.solid" style={{ width: share(failureCount) }} />
      </Flex>
    </chakra.span>
  );
}

/** Whom it goes to, in a line. */
export function Recipients({ notification }: { notification: Pick<Notification, 'groups' | 'userCount'> }) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  const { groups, userCount } = notification;
  if (groups.length > 0) return groups.map(({ name }) => name).join(', ');
  return userCount > 0 ? t('recipients.users', { count: number(userCount) }) : t('deliverToTypes.all');
}
