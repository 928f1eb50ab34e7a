import { useTranslation } from 'react-i18next';
import { useApi } from '../../lib/api.ts';
import { useFormat } from '../../lib/format.ts';
import { selectionOf } from '../chosen.ts';
import { DeleteRecords, oneByOne } from '../delete-records.tsx';
import type { DeleteRecordProps, Named } from './record.ts';
import { useRecordText } from './use-record.ts';

/** The question before a deletion: the record's own, or the usual one. */
export function DeleteRecord(props: DeleteRecordProps<Named>) {
  const { Delete = DeleteAny } = props.record;
  return <Delete {...props} />;
}

export function DeleteAny({ record, chosen, filter, onClose, onDeleted }: DeleteRecordProps<Named>) {
  const { alsoStale = [], calls, idParam, useScope } = record;
  const { t } = useTranslation('ui');
  const text = useRecordText(record);
  const { number } = useFormat();
  const api = useApi();
  const scope = useScope();
  const { remove, removeMany } = calls;
  const { matching, rows } = chosen;
  const removeOneByOne = oneByOne((id) => api.call(remove, { params: { ...scope, [idParam]: id } }));
  return (
    <DeleteRecords
      records={rows}
      matching={
        removeMany && matching !== undefined
          ? {
              count: matching,
              remove: () => api.call(removeMany, { params: scope, body: selectionOf(chosen, filter) }),
              text: t('deleteMatching', { count: number(matching) }),
            }
          : undefined
      }
      remove={(ids) => {
        const many = remove.body ? remove : removeMany;
        if (!many || (!remove.body && ids.length === 1)) return removeOneByOne(ids);
        return api.call(many, { params: scope, body: { ids: [...ids] } });
      }}
      own={(id) => [[calls.get.id, { [idParam]: id }]]}
      stale={[calls.list, ...alsoStale].map(({ id }) => id)}
      texts={{
        title: text('deleteTitle'),
        one: (name) => text('deleteOne', { name }),
        many: (count) => text('deleteMany', { count }),
        done: (count) => text('deleted', { count }),
      }}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
