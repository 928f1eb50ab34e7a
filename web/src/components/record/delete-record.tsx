import { useApi } from '../../lib/api.ts';
import { DeleteRecords, oneByOne } from '../delete-records.tsx';
import type { AnyRecord, Named } from './record.ts';
import { useRecordText } from './use-record.ts';

interface DeleteRecordProps {
  record: AnyRecord;
  /** Those to delete; none closes the dialog. */
  rows: readonly Named[];
  onClose: () => void;
  onDeleted: () => void | Promise<void>;
}

export function DeleteRecord({ record, rows, onClose, onDeleted }: DeleteRecordProps) {
  const { alsoStale = [], calls, idParam, useScope } = record;
  const text = useRecordText(record);
  const api = useApi();
  const scope = useScope();
  const { remove } = calls;
  return (
    <DeleteRecords
      records={rows}
      remove={
        remove.body
          ? (ids) => api.call(remove, { params: scope, body: { ids: [...ids] } })
          : oneByOne((id) => api.call(remove, { params: { ...scope, [idParam]: id } }))
      }
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
