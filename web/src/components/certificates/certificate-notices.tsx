import { Box } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Link } from '../../ui/link.tsx';
import { daysUntil } from '../licence-end.tsx';
import { certificateStateOf } from './certificate-state.ts';

interface CertificateNoticesProps {
  certificates: readonly { readonly name?: string; readonly certificateExpiresAt: string | null }[];
  to: string;
}

/** Tells of certificates that end within 30 days or have ended; one without a name is the operator's. */
export function CertificateNotices({ certificates, to }: CertificateNoticesProps) {
  const { t } = useTranslation('certificates');
  const ending = certificates.flatMap(({ certificateExpiresAt: end, name }) => {
    const state = end === null ? 'running' : certificateStateOf(end);
    if (end === null || state === 'running') return [];
    const count = daysUntil(new Date(end));
    const isOver = state === 'over';
    if (name === undefined)
      return [
        { isOver, text: isOver ? t('notices.operatorOver') : t('notices.operatorEndsSoon', { count }) },
      ];
    return [{ isOver, text: isOver ? t('notices.over', { name }) : t('notices.endsSoon', { name, count }) }];
  });
  if (ending.length === 0) return null;
  return (
    <Box display="grid" gap="3" mb="7">
      {ending.map(({ isOver, text }) => (
        <Notice key={text} tone={isOver ? 'error' : 'warning'}>
          {text} <Link to={to}>{t('notices.show')}</Link>
        </Notice>
      ))}
    </Box>
  );
}
