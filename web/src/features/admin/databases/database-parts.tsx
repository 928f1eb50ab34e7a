import { Badge } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { databaseStatusNames } from '../../../components/database-status.ts';
import { useFormat } from '../../../lib/format.ts';
import { Meter } from '../../../ui/meter.tsx';
import type { Database } from './use-databases.ts';

const palettes = { 0: 'gray', 1: 'info', 2: 'success' } as const;

export function ContractStatus({ contractStatus }: Pick<Database, 'contractStatus'>) {
  const { t } = useTranslation('documents');
  return (
    <Badge colorPalette={palettes[contractStatus]}>
      {t(`statuses.${databaseStatusNames[contractStatus]}`)}
    </Badge>
  );
}

type Use = Pick<Database, 'quotaBytes' | 'usageBytes'>;

/** How much of its quota a database takes. */
export function DatabaseUse({ quotaBytes, usageBytes }: Use) {
  const { t } = useTranslation('documents');
  const { fileSize } = useFormat();
  return (
    <Meter
      label={t('usage')}
      value={usageBytes}
      max={quotaBytes}
      text={t('ofQuota', { used: fileSize(usageBytes), quota: fileSize(quotaBytes) })}
    />
  );
}
