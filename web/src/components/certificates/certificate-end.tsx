import { Badge, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { daysUntil } from '../licence-end.tsx';
import { certificateStateOf } from './certificate-state.ts';

/** When a certificate ends, and a mark where it has or nearly has. */
export function CertificateEnd({ expiresAt }: { expiresAt: string | null }) {
  const { t } = useTranslation('certificates');
  const { date } = useFormat();
  if (expiresAt === null) return <chakra.span color="fg.muted">{t('noCertificate')}</chakra.span>;
  const state = certificateStateOf(expiresAt);
  return (
    <chakra.span display="inline-flex" alignItems="center" flexWrap="wrap" columnGap="2">
      <chakra.span whiteSpace="nowrap">{date(expiresAt)}</chakra.span>
      {state !== 'running' && (
        <Badge colorPalette={state === 'over' ? 'danger' : 'warning'}>
          {state === 'over' ? t('over') : t('daysLeft', { count: daysUntil(new Date(expiresAt)) })}
        </Badge>
      )}
    </chakra.span>
  );
}
