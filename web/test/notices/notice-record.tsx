import type { RouteReply } from '@portal/contracts';
import { noticeRoutes } from '@portal/example-service/contracts';
import { useTranslation } from 'react-i18next';
import { defineRecord, type RecordLinks } from '../../src/components/record/record.ts';
import { RecordForm } from '../../src/components/record/record-form-pages.tsx';
import { useOwnCompany } from '../../src/components/record/use-record.ts';
import { useFormat, viewerZone } from '../../src/lib/format.ts';
import { useFlowForm } from '../../src/ui/flow/flow.tsx';
import { TextareaField, TextField } from '../../src/ui/form/fields.tsx';
import type { Column } from '../../src/ui/list/data-table.tsx';
import { NameLink } from '../../src/ui/list/name-link.tsx';
import { changedItem, DescriptionList } from '../../src/ui/page/description-list.tsx';
import { texts } from './beside-the-product.ts';
import { noticePaths } from './notice-paths.ts';

type Notice = RouteReply<typeof noticeRoutes.getNotice>;
type OrderKey = (typeof noticeRoutes.noticeOrderKeys)[number];
type NoticeValues = { name: string; text: string };

function useLabels() {
  const { t } = useTranslation(texts);
  // The types of `t` know the texts of the product alone.
  const textOf = t as (key: string) => string;
  return { name: textOf('name'), text: textOf('text'), updatedAt: textOf('updatedAt') };
}

function useColumns({ toDetail }: RecordLinks): readonly Column<Notice, OrderKey>[] {
  const labels = useLabels();
  const { dateTime } = useFormat();
  return [
    {
      id: 'name',
      header: labels.name,
      cell: (notice) => <NameLink to={toDetail(notice)}>{notice.name}</NameLink>,
      orderKey: 'name',
      isRowHeader: true,
    },
    {
      id: 'updatedAt',
      header: labels.updatedAt,
      cell: ({ updatedAt }) => dateTime(updatedAt),
      orderKey: 'updatedAt',
      numeric: true,
    },
  ];
}

function NoticeForm({ initial }: { initial: NoticeValues }) {
  const { name, text } = useLabels();
  const form = useFlowForm<NoticeValues>(noticeRoutes.noticeFields, initial, { name, text });
  return (
    <RecordForm form={form} paths={noticePaths}>
      <TextField {...form.field('name')} required />
      <TextareaField {...form.field('text')} />
    </RecordForm>
  );
}

function useItems(values: NoticeValues, before: NoticeValues | undefined) {
  const labels = useLabels();
  return (['name', 'text'] as const).map((key) =>
    changedItem(labels[key], values[key], before?.[key], (value) => value),
  );
}

function NoticeBody({ record: { text } }: { record: Notice }) {
  return <DescriptionList items={[{ label: useLabels().text, value: text }]} />;
}

export const record = defineRecord({
  paths: noticePaths,
  texts,
  lines: 2,
  useScope: useOwnCompany,
  idParam: 'id',
  calls: {
    list: noticeRoutes.listNotices,
    get: noticeRoutes.getNotice,
    create: noticeRoutes.createNotice,
    update: noticeRoutes.updateNotice,
    remove: noticeRoutes.deleteNotice,
    csv: noticeRoutes.noticesCsv,
  },
  list: {
    orderKeys: noticeRoutes.noticeOrderKeys,
    filters: { name: 'text' },
    pageOf: (reply) => ({ ...reply, rows: reply.notices }),
    useColumns,
    csv: { fileName: noticeRoutes.noticesCsv.fileName, query: () => ({ tz: viewerZone() }) },
  },
  form: {
    empty: { name: '', text: '' },
    valuesOf: ({ name, text }: Notice): NoticeValues => ({ name, text }),
    Form: NoticeForm,
    useItems,
    newBody: (values: NoticeValues) => values,
    editedBody: (values: NoticeValues) => values,
  },
  detail: {
    useTitle:
      () =>
      ({ name }) =>
        name,
    Body: NoticeBody,
  },
});
