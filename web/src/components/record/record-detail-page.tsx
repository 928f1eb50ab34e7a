import { chakra } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { ErrorInfo } from '../../ui/feedback/error-info.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { noneChosen } from '../chosen.ts';
import { RecordLoader } from '../record-loader.tsx';
import { DeleteRecord } from './delete-record.tsx';
import type { AnyRecord, Named } from './record.ts';
import { useMayCall, useRecord, useRecordCrumbs, useRecordLinks, useRecordText } from './use-record.ts';

const nameOf = () => (record: Named) => record.name;

const always = () => true;

export function RecordDetailPage({ record }: { record: AnyRecord }) {
  const { canChange = always, detail } = record;
  const { useTitle = nameOf, Body } = detail ?? {};
  const { t } = useTranslation('ui');
  const text = useRecordText(record);
  const may = useMayCall();
  const titleOf = useTitle();
  const { toEdit } = useRecordLinks(record);
  const { data, ...query } = useRecord(record);
  return (
    <>
      <PageHeader
        title={data ? titleOf(data) : text('detail')}
        crumbs={useRecordCrumbs(record, text('detail'))}
        action={
          data &&
          canChange(data) &&
          may(record.calls.update) && (
            <ButtonLink to={toEdit(data)} variant="outline" icon={<Pencil />}>
              {t('edit')}
            </ButtonLink>
          )
        }
      />
      {data ? (
        <chakra.div maxW="page">
          {Body && <Body record={data} />}
          {canChange(data) && may(record.calls.remove) && <DeleteThis record={record} shown={data} />}
        </chakra.div>
      ) : (
        <LoadingRecord record={record} query={query} />
      )}
    </>
  );
}

function DeleteThis({ record, shown }: { record: AnyRecord; shown: Named }) {
  const text = useRecordText(record);
  const navigate = useNavigate();
  const { toList } = useRecordLinks(record);
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <Button variant="outline" colorPalette="danger" icon={<Trash2 />} onClick={() => setDeleting(true)}>
        {text('delete')}
      </Button>
      <DeleteRecord
        record={record}
        chosen={deleting ? { rows: [shown], matching: undefined } : noneChosen}
        filter={{}}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate(toList, { replace: true, flushSync: true })}
      />
    </>
  );
}

interface LoadingRecordProps {
  record: AnyRecord;
  query: { error: ErrorInfo | null; refetch: () => unknown };
}

/** What stands in the place of a record until it is there. */
export function LoadingRecord({ record, query }: LoadingRecordProps) {
  const text = useRecordText(record);
  const { toList } = useRecordLinks(record);
  return (
    <RecordLoader
      queries={[query]}
      rows={record.lines}
      action={<ButtonLink to={toList}>{text('toList')}</ButtonLink>}
    />
  );
}
