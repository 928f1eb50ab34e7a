import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../lib/list/use-selection.ts';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';

/** Which rows of a list somebody is about to delete: `records`, of whom the dialog asks. */
export function useDeletion<R extends { readonly id: number }>(
  rows: readonly R[] | undefined,
  selection: Selection,
) {
  const { t } = useTranslation('ui');
  const { toast } = useAnnouncer();
  const [records, setRecords] = useState<readonly R[]>([]);
  return {
    records,
    ask: (row: R) => setRecords([row]),
    askSelected() {
      const selected = rows?.filter(({ id }) => selection.has(id)) ?? [];
      // Another tab may have deleted them meanwhile.
      if (selected.length === 0) toast({ tone: 'error', message: t('deleteCheck') });
      else setRecords(selected);
    },
    close: () => setRecords([]),
  };
}
