import { ApiError } from '@portal/api-client';
import { fileRoutes, limits, type RouteRequest } from '@portal/contracts';
import { UsersRound } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Asked, useAsking } from '../../../components/asking.tsx';
import { chosenOf } from '../../../components/chosen.ts';
import type { FileRow } from '../../../components/files/file.ts';
import { useTenant } from '../../../components/tenant.ts';
import { useDeletion } from '../../../components/use-deletion.tsx';
import { useNumberChanged } from '../../../components/use-number-changed.ts';
import { useApi } from '../../../lib/api.ts';
import { loadTexts } from '../../../lib/i18n.ts';
import type { Selection } from '../../../lib/list/use-selection.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import type { BulkAction } from '../../../ui/list/bulk-bar.tsx';
import { useMayDistribute } from './use-may-distribute.ts';

// The list is a screen on which people begin: what asks them comes when it asks.
const AssignFiles = lazy(async () => {
  const [{ AssignFiles: Component }] = await Promise.all([
    import('./assign-files.tsx'),
    loadTexts(['effect']),
  ]);
  return { default: Component };
});
const DeleteFiles = lazy(async () => {
  const [{ DeleteFiles: Component }] = await Promise.all([
    import('./delete-files.tsx'),
    loadTexts(['effect']),
  ]);
  return { default: Component };
});

type Query = RouteRequest<typeof fileRoutes.listFiles>['query'];

/** So many are changed at once: each is a call of its own. */
export const mostFiles = limits.maxIdsPerDelete;

type Then = (files: readonly FileRow[]) => void;

interface BulkFiles {
  readonly actions: readonly BulkAction[];
  /** Asks before one file is deleted. */
  readonly askToDelete: (file: FileRow) => void;
  /** The dialogs of all of them. */
  readonly dialogs: ReactNode;
}

/** What can be done with the files that are selected in a list, which `filter` shows; `csv` among it. */
export function useBulkFiles(
  files: readonly FileRow[] | undefined,
  selection: Selection,
  filter: Query,
  csv: BulkAction,
): BulkFiles {
  const { t } = useTranslation('files');
  const api = useApi();
  const may = useMay();
  const mayDistribute = useMayDistribute();
  const { id: pid } = useTenant();
  const { showError } = useErrorModal();
  const isNumberChanged = useNumberChanged([fileRoutes.listFiles.id], selection.clear);
  const deletion = useDeletion(files, selection);
  const assigning = useAsking<readonly FileRow[]>();

  /** Every file that the filter shows: as many as the person saw, else `E40034` as of the calls that take a filter. */
  async function allMatching(count: number): Promise<FileRow[]> {
    const all: FileRow[] = [];
    let seen = 0;
    for (let page = 1; seen < Math.min(count, mostFiles); page += 1) {
      const query = { ...filter, page, perPage: limits.maxPageSize };
      const reply = await api.call(fileRoutes.listFiles, { params: { pid }, query });
      if (!('totalCount' in reply) || reply.totalCount !== count || reply.files.length === 0) {
        const fields = [{ field: 'expectedCount', message: '' }];
        throw new ApiError({ code: 'E40034', status: 400, message: '', fields });
      }
      seen += reply.files.length;
      // Applications are their publisher's.
      all.push(...reply.files.filter(({ application }) => !application));
    }
    return all;
  }

  /** The calls are of one file each, so all of them are asked for before one is told of them. */
  const gather = useAction({
    mutationFn: async ({ count, then }: { count: number; then: Then }) => then(await allMatching(count)),
    onError: (error) => isNumberChanged(error) || showError(error),
  });
  const withChosen = (then: Then) => () => {
    const { matching, rows } = chosenOf(files, selection);
    if (matching !== undefined) gather.mutate({ count: matching, then });
    else if (rows.length > 0) then(rows);
  };

  return {
    actions: [
      ...(mayDistribute
        ? [
            {
              label: t('assign'),
              icon: <UsersRound />,
              pending: gather.isPending,
              onPress: withChosen(assigning.ask),
            },
          ]
        : []),
      csv,
      ...(may('deleteFile') ? [{ ...deletion.action, onPress: withChosen(deletion.askAll) }] : []),
    ],
    askToDelete: deletion.ask,
    dialogs: (
      <>
        <Asked asking={assigning}>
          {(some) => <AssignFiles files={some} onClose={assigning.close} onDone={selection.clear} />}
        </Asked>
        <Asked asking={deletion.asking}>
          {({ rows }) => (
            <DeleteFiles files={rows} onClose={deletion.asking.close} onDeleted={selection.clear} />
          )}
        </Asked>
      </>
    ),
  };
}
