import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../lib/list/use-selection.ts';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import type { BulkAction } from '../ui/list/bulk-bar.tsx';
import { useAsking } from './asking.tsx';
import { type Chosen, chosenOf, countOf } from './chosen.ts';

/** Which rows of a list somebody is about to delete: `asking`, of which a dialog asks. */
export function useDeletion<R extends { readonly id: number }>(
  rows: readonly R[] | undefined,
  selection: Selection,
) {
  const { t } = useTranslation('ui');
  const { toast } = useAnnouncer();
  const asking = useAsking<Chosen<R>>();
  function choose(some: Chosen<R>): void {
    // Another tab may have deleted them meanwhile.
    if (countOf(some) === 0) toast({ tone: 'error', message: t('deleteCheck') });
    else asking.ask(some);
  }
  const action: BulkAction = {
    label: t('delete'),
    icon: <Trash2 />,
    isLoss: true,
    onPress: () => choose(chosenOf(rows, selection)),
  };
  return {
    asking,
    askAll: (some: readonly R[]) => choose({ rows: some, matching: undefined }),
    ask: (row: R) => asking.ask({ rows: [row], matching: undefined }),
    /** Asks of the selected rows. */
    action,
  };
}
