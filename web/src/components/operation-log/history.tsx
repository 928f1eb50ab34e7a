import { useTranslation } from 'react-i18next';
import { useMay } from '../../lib/session/use-session.ts';
import { Section } from '../../ui/page/section.tsx';
import { useTenant } from '../tenant.ts';
import { OperationTable } from './operation-table.tsx';
import type { OperationRow } from './use-operations.ts';

interface HistoryProps {
  kind: NonNullable<OperationRow['target']['kind']>;
  id: number;
}

/** What was done with a record, from the operation log. */
export function History({ id, kind }: HistoryProps) {
  const { t } = useTranslation('operationLogs');
  const may = useMay();
  const { id: of } = useTenant();
  if (!may('listOperationLogs')) return null;
  return (
    <Section title={t('history')} lead={t('historyLead')}>
      <OperationTable
        caption={t('history')}
        perPage={10}
        of={of}
        asked={{ targetKind: kind, targetId: id }}
        withTarget={false}
        emptyTitle={t('noHistory')}
        emptyText={t('noHistoryText')}
      />
    </Section>
  );
}
