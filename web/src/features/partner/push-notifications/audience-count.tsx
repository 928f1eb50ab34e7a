import { chakra } from '@chakra-ui/react';
import { pushRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { type NotificationValues, targetOf } from './notification-rules.ts';

/** How many people and devices it reaches, as the service counts them at this moment. */
export function AudienceCount({ values }: { values: NotificationValues }) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  const { partner } = usePartnerSession();
  const { data, error } = useApiQuery(pushRoutes.countPushAudience, {
    params: { pid: partner.id },
    body: targetOf(values),
  });
  if (error) return <chakra.span color="fg.error">{error.message}</chakra.span>;
  if (!data) return <span role="status">{t('audience.counting')}</span>;
  return (
    <span role="status">
      {t('audience.figures', {
        users: number(data.users),
        people: number(data.people),
        devices: number(data.devices),
      })}
      {!data.sends && (
        <chakra.span display="block" color="fg.error">
          {t('audience.noCertificate')}
        </chakra.span>
      )}
      {data.sends && data.devices === 0 && (
        <chakra.span display="block" color="fg.warning">
          {t('audience.nobody')}
        </chakra.span>
      )}
    </span>
  );
}
