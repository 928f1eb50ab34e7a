import { ApiError } from '@portal/api-client';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { useAction } from '../lib/use-action.ts';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';
import { NameList } from '../ui/feedback/name-list.tsx';

interface DeleteRecordsProps {
  /** Those to delete; none closes the dialog. */
  records: readonly { id: number; name: string }[];
  /** Deletes all or none; see `oneByOne` where the API takes one at a time. */
  remove: (ids: readonly number[]) => Promise<unknown>;
  /** The keys of what was asked about a record of its own: nobody shall see it any more. */
  own: (id: number) => readonly QueryKey[];
  /** The operations whose answers are stale afterwards. */
  stale: readonly string[];
  texts: {
    title: string;
    one: (name: string) => string;
    many: (count: string) => string;
    done: (count: number) => string;
  };
  /** What the button does; deleting unless told. */
  confirmLabel?: string;
  onClose: () => void;
  /** Where it leaves the page of a record, it resolves when that is gone. */
  onDeleted: () => void | Promise<void>;
}

/** Why a deletion of one after the other has ended at `at`. */
class Refused extends ApiError {
  readonly at: number;
  constructor(at: number, { code, status, message, fields, requestId }: ApiError) {
    super({ code, status, message, fields, requestId });
    this.at = at;
  }
}

/** Up to the first that is refused. One that somebody else has deleted meanwhile is as wanted. */
export function oneByOne(remove: (id: number) => Promise<unknown>) {
  return async (ids: readonly number[]) => {
    for (const [at, id] of ids.entries()) {
      try {
        await remove(id);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 404) throw new Refused(at, error);
      }
    }
  };
}

/** Asks, naming the records, and deletes them. */
export function DeleteRecords({
  records,
  remove,
  own,
  stale,
  texts,
  confirmLabel,
  onClose,
  onDeleted,
}: DeleteRecordsProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const queries = useQueryClient();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();

  /** Which of them it was, and what has become of the others. */
  function toldOfMany(error: ApiError): string {
    const reason = error.message;
    if (!(error instanceof Refused)) return t('refusedAll', { reason });
    const name = records[error.at]?.name ?? '';
    return t('refusedAt', { name, reason, done: number(error.at), left: number(records.length - error.at) });
  }

  const removal = useAction({
    async mutationFn() {
      const ids = records.map(({ id }) => id);
      await remove(ids);
      return ids;
    },
    async onSuccess(ids) {
      toast({ tone: 'success', message: texts.done(ids.length) });
      await onDeleted();
      for (const queryKey of ids.flatMap(own)) queries.removeQueries({ queryKey });
    },
    onError(error) {
      const { requestId, status } = error;
      if (records.length === 1) showError(error);
      else showError({ message: toldOfMany(error), requestId, status });
    },
    onSettled() {
      onClose();
      return Promise.all(stale.map((id) => queries.invalidateQueries({ queryKey: [id] })));
    },
  });

  return (
    <ConfirmDialog
      open={records.length > 0}
      title={texts.title}
      confirmLabel={confirmLabel ?? t('delete')}
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      {records.length === 1 ? (
        texts.one(records[0]?.name ?? '')
      ) : (
        <>
          {texts.many(number(records.length))}
          <NameList label={texts.title} names={records.map(({ name }) => name)} />
        </>
      )}
    </ConfirmDialog>
  );
}
