import { Badge, chakra } from '@chakra-ui/react';
import { isLicenceOver } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';

/** Days before its end from which a licence is worth a look. */
const soon = 30;

/** Midnights in the viewer's zone from `now` to `end`: 0 on the last day. */
export function daysUntil(end: Date, now = new Date()): number {
  const dayOf = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return (dayOf(end) - dayOf(now)) / (24 * 3_600_000);
}

type LicenceState = 'over' | 'endsSoon' | 'running';

export function licenceStateOf(expiredOn: string | null, now = new Date()): LicenceState {
  if (expiredOn === null) return 'running';
  const end = new Date(expiredOn);
  if (isLicenceOver(end, now)) return 'over';
  return daysUntil(end, now) <= soon ? 'endsSoon' : 'running';
}

/** The day on which a licence ends, and a mark where it is over or nearly so. */
export function LicenceEnd({ expiredOn }: { expiredOn: string | null }) {
  const { t } = useTranslation('partners');
  const { date } = useFormat();
  if (expiredOn === null) return <chakra.span color="fg.muted">{t('noExpiry')}</chakra.span>;
  const state = licenceStateOf(expiredOn);
  return (
    <chakra.span display="inline-flex" alignItems="center" flexWrap="wrap" columnGap="2">
      <chakra.span whiteSpace="nowrap">{date(expiredOn)}</chakra.span>
      {state !== 'running' && (
        <Badge colorPalette={state === 'over' ? 'danger' : 'warning'}>{t(state)}</Badge>
      )}
    </chakra.span>
  );
}
