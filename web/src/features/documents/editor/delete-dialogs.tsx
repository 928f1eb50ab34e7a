import { documentLimits, documentRoutes } from '@portal/contracts';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { NameList } from '../../../ui/feedback/name-list.tsx';
import { TypedConfirm } from '../../../ui/feedback/typed-confirm.tsx';
import { useDatabase } from './open-database.ts';
import { useDocumentCalls, useDocumentsChanged } from './use-documents.ts';

interface DeleteProps {
  name: string;
  onClose: () => void;
  onDeleted: () => void;
}

/** `remove` tells with each call how many it has deleted: they are gone, also where a later call fails. */
function useDeletion(
  { onClose, onDeleted }: Omit<DeleteProps, 'name'>,
  remove: (tell: (count: number) => void) => Promise<void>,
) {
  const { t } = useTranslation('documents');
  const changed = useDocumentsChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const deleted = useRef(0);
  return useAction({
    mutationFn: () =>
      remove((count) => {
        deleted.current += count;
      }),
    onError: showError,
    onSettled(_, error) {
      if (!error || deleted.current > 0) {
        toast({ tone: 'success', message: t('deleted', { count: deleted.current }) });
        onDeleted();
      }
      onClose();
      return changed();
    },
  });
}

/** So many ids a filter takes, however long they are. */
const idsAtOnce = Math.floor(
  (documentLimits.filterMaxLength - '{"_id":{"$in":[]}}'.length) /
    (documentLimits.idMaxLength + '"",'.length),
);

/** One document, or those that are selected: with as few calls as it takes, and by a filter, since not every `_id` has an address. */
export function DeleteDocuments({ ids, name, ...on }: DeleteProps & { ids: readonly string[] }) {
  const { t } = useTranslation(['documents', 'ui']);
  const calls = useDocumentCalls(name);
  const removal = useDeletion(on, async (tell) => {
    for (let at = 0; at < ids.length; at += idsAtOnce) {
      const some = ids.slice(at, at + idsAtOnce);
      tell((await calls.removeMatching(JSON.stringify({ _id: { $in: some } }))).count);
    }
  });
  return (
    <ConfirmDialog
      open
      title={t('deleteTitle')}
      confirmLabel={t('ui:delete')}
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={on.onClose}
    >
      <p>{t('deleteText', { count: ids.length })}</p>
      <NameList label={t('theseDocuments')} names={ids} />
    </ConfirmDialog>
  );
}

interface DeleteMatchingProps extends DeleteProps {
  /** Undefined for all of the collection. */
  filter: string | undefined;
  count: number;
}

/** All that the filter shows, those of other pages too. */
export function DeleteMatching({ count, filter, name, ...on }: DeleteMatchingProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { number } = useFormat();
  const calls = useDocumentCalls(name);
  const removal = useDeletion(on, async (tell) => tell((await calls.removeMatching(filter ?? '{}')).count));
  return (
    <TypedConfirm
      title={t(filter ? 'deleteMatchingTitle' : 'deleteAllTitle')}
      confirmLabel={t('ui:delete')}
      pending={removal.isPending}
      word={name}
      typeLabel={t('typeCollection', { name })}
      onConfirm={() => removal.mutate()}
      onCancel={on.onClose}
    >
      <p>{t(filter ? 'deleteMatchingText' : 'deleteAllText', { count: number(count) })}</p>
      {filter && (
        <code style={{ overflowWrap: 'anywhere' }}>
          {filter.length > 300 ? `${filter.slice(0, 300)}…` : filter}
        </code>
      )}
    </TypedConfirm>
  );
}

/** A collection with all that is in it. */
export function DeleteCollection({ count, name, onClose, onDeleted }: DeleteProps & { count: number }) {
  const { t } = useTranslation(['documents', 'ui']);
  const { number } = useFormat();
  const { db } = useDatabase();
  const api = useApi();
  const changed = useDocumentsChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const removal = useAction({
    mutationFn: () => api.call(documentRoutes.deleteCollection, { params: { db, name } }),
    onSuccess() {
      toast({ tone: 'success', message: t('collectionDeleted', { name }) });
      onDeleted();
    },
    onError: showError,
    onSettled() {
      onClose();
      return changed();
    },
  });
  return (
    <TypedConfirm
      title={t('deleteCollectionTitle')}
      confirmLabel={t('ui:delete')}
      pending={removal.isPending}
      word={name}
      typeLabel={t('typeCollection', { name })}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{t('deleteCollectionText', { name, count: number(count) })}</p>
    </TypedConfirm>
  );
}
