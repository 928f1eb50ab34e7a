import { ApiError } from '@portal/api-client';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { useAction } from '../lib/use-action.ts';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';
import { NameList } from '../ui/feedback/name-list.tsx';
import { useForgetRecords } from './use-forget-records.ts';
import { useNumberChanged } from './use-number-changed.ts';

/** All that a list shows, those of other pages too. */
export interface Matching {
  readonly count: number;
  readonly remove: () => Promise<unknown>;
  /** What is said before. */
  readonly text: string;
}

interface DeleteRecordsProps {
  /** Those to delete; none closes the dialog. */
  records: readonly { id: number; name: string }[];
  /** Instead of `records`, which are then those on the page. */
  matching?: Matching | undefined;
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
export class Refused extends ApiError {
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
  matching,
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
  const forget = useForgetRecords();
  const isNumberChanged = useNumberChanged(stale, () => void onDeleted());

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
      await (matching ? matching.remove() : remove(ids));
      return ids;
    },
    async onSuccess(ids) {
      toast({ tone: 'success', message: texts.done(matching?.count ?? ids.length) });
      await onDeleted();
      // Which ones they are is not known where all that match are gone: every one of their kind is forgotten then.
      forget(matching ? own(0).map((key) => key.slice(0, 1)) : ids.flatMap(own));
    },
    onError(error) {
      const { requestId, status } = error;
      if (isNumberChanged(error)) return;
      if (records.length === 1 && !matching) showError(error);
      else showError({ message: toldOfMany(error), requestId, status, fields: error.fields });
    },
    onSettled(_, error) {
      onClose();
      // One looks at the new number when one is ready for it.
      if (error?.code === 'E40034' && matching) return;
      return Promise.all(stale.map((id) => queries.invalidateQueries({ queryKey: [id] })));
    },
  });

  return (
    <ConfirmDialog
      open={records.length > 0 || matching !== undefined}
      title={texts.title}
      confirmLabel={confirmLabel ?? t('delete')}
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      {matching?.text}
      {!matching && records.length === 1 && texts.one(records[0]?.name ?? '')}
      {!matching && records.length > 1 && (
        <>
          {texts.many(number(records.length))}
          <NameList label={texts.title} names={records.map(({ name }) => name)} />
        </>
      )}
    </ConfirmDialog>
  );
}
