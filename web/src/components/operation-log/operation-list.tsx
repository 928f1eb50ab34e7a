import { operationLabels, operationRoutes, tenantOperationLabels } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import type { Filtered } from '../../lib/list/filter-values.ts';
import { useListState } from '../../lib/list/use-list-state.ts';
import { useSession } from '../../lib/session/use-session.ts';
import { SearchPanel } from '../../ui/list/search-panel.tsx';
import { OperationTable } from './operation-table.tsx';

const filters = {
  q: 'text',
  operation: 'text',
  result: operationRoutes.operationResults,
  atStart: 'time',
  atEnd: 'time',
} as const;

const listOptions = { orderKeys: ['at'], filters } as const;
const perPage = 50;

/** Several routes have one label, such as those of administrators and of companies: they are asked for together. */
function useOperationOptions(isOfTenant: boolean) {
  const language = useLanguage();
  const labels = isOfTenant ? tenantOperationLabels : operationLabels;
  return useMemo(() => {
    const routes = new Map<string, string[]>();
    for (const [name, label] of Object.entries(labels)) {
      routes.set(label[language], [...(routes.get(label[language]) ?? []), name]);
    }
    const collator = new Intl.Collator(language);
    return [...routes]
      .map(([label, names]) => ({ value: names.join(), label }))
      .sort((a, b) => collator.compare(a.label, b.label));
  }, [labels, language]);
}

/** The operation log with its filters, which are in the address. Administrators see that of company `of`, or of all. */
export function OperationList({ of }: { of?: number }) {
  const { t } = useTranslation('operationLogs');
  const isOfTenant = useSession()?.kind === 'partner' || of !== undefined;
  const list = useListState<'at', Filtered<typeof filters>>(listOptions);
  const options = useOperationOptions(isOfTenant);
  const { atEnd, atStart, operation, q, result } = list.asked;
  const isKnown = options.some(({ value }) => value === operation);
  return (
    <>
      <SearchPanel
        list={list}
        filters={{
          q: { kind: 'text', label: t('who') },
          operation: { kind: 'choice', label: t('operation'), options },
          result: {
            kind: 'choice',
            label: t('result'),
            options: operationRoutes.operationResults.map((value) => ({
              value,
              label: t(`results.${value}`),
            })),
          },
          atStart: { kind: 'time', label: t('start') },
          atEnd: { kind: 'time', label: t('end') },
        }}
        presets={[
          { label: t('presets.today'), filters: { atStart: '1d' } },
          { label: t('presets.week'), filters: { atStart: '7d' } },
          { label: t('presets.refused'), filters: { result: 'refused' } },
        ]}
      />
      <OperationTable
        caption={t('title')}
        perPage={perPage}
        of={of}
        asked={{
          ...(q && { q }),
          ...(isKnown && { operation }),
          ...(result && { result }),
          ...(atStart && { start: atStart }),
          ...(atEnd && { end: atEnd }),
        }}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
        onReset={list.isFiltered ? list.reset : undefined}
      />
    </>
  );
}
