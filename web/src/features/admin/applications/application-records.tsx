import { applicationRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { defineRecord, type RecordLinks } from '../../../components/record/record.ts';
import { useFormat } from '../../../lib/format.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { idColumn } from '../../../ui/list/id-column.ts';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { ApplicationBody } from './application-body.tsx';
import { ApplicationForm, useApplicationItems, useSaleTypeName } from './application-form.tsx';
import { ApplicationStatus, Destination } from './application-parts.tsx';
import { applicationPaths, salesApplicationPaths } from './application-paths.ts';
import {
  type Application,
  applicationValuesOf,
  editedApplicationBody,
  emptyApplication,
  newApplicationBody,
} from './application-rules.ts';
import { useBeginApplication } from './use-begin-application.ts';

type OrderKey = (typeof applicationRoutes.applicationOrderKeys)[number];

function useColumns({ toDetail }: RecordLinks): readonly Column<Application, OrderKey>[] {
  const { t } = useTranslation('applications');
  const format = useFormat();
  const saleTypeName = useSaleTypeName();
  return [
    idColumn({ header: t('id'), width: '4.5rem', wideOnly: '2xl' }),
    {
      id: 'name',
      header: t('name'),
      cell: (application) => <NameLink to={toDetail(application)}>{application.name}</NameLink>,
      orderKey: 'name',
      isRowHeader: true,
      width: '28%',
    },
    {
      id: 'saleType',
      header: t('saleType'),
      cell: ({ saleType }) => saleTypeName(saleType),
      width: '8rem',
      wideOnly: 'xl',
      onCard: true,
    },
    {
      id: 'destination',
      header: t('destination'),
      cell: (application) => <Destination application={application} />,
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'status',
      header: t('status'),
      cell: (application) => <ApplicationStatus application={application} />,
      width: '9rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'version',
      header: t('version'),
      cell: ({ version }) => version,
      numeric: true,
      width: '6rem',
      wideOnly: '2xl',
    },
    {
      id: 'createdAt',
      header: t('createdAt'),
      cell: ({ createdAt }) => format.dateTime(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      wideOnly: '2xl',
    },
    {
      id: 'updatedAt',
      header: t('updatedAt'),
      cell: ({ updatedAt }) => format.dateTime(updatedAt),
      orderKey: 'updatedAt',
      numeric: true,
      wideOnly: 'xl',
    },
  ];
}

/** What a call answers that has opened an upload. */
const opensUpload = (reply: unknown): reply is { uploadId: string; partSize: number } =>
  typeof reply === 'object' && reply !== null && 'uploadId' in reply && 'partSize' in reply;

const applicationRecord = (only: {
  readonly paths: typeof applicationPaths;
  readonly texts: 'applications' | 'salesApplications';
  /** The sale type that all of them have. */
  readonly saleType?: applicationRoutes.SaleType;
}) =>
  defineRecord({
    paths: only.paths,
    texts: only.texts,
    lines: 6,
    useScope: () => ({}),
    idParam: 'id',
    calls: {
      list: applicationRoutes.listApplications,
      get: applicationRoutes.getApplication,
      create: applicationRoutes.createApplication,
      update: applicationRoutes.updateApplication,
      remove: applicationRoutes.deleteApplication,
    },
    list: {
      orderKeys: applicationRoutes.applicationOrderKeys,
      filters: {
        q: 'text',
        name: 'text',
        partnerName: 'text',
        createdAtStart: 'time',
        createdAtEnd: 'time',
        updatedAtStart: 'time',
        updatedAtEnd: 'time',
      },
      ...(only.saleType && { fixed: { saleType: String(only.saleType) } }),
      pageOf: (reply) => ({ ...reply, rows: reply.applications }),
      useColumns,
    },
    form: {
      empty: emptyApplication(only.saleType ?? 1),
      valuesOf: applicationValuesOf,
      Form: (props: { initial: ReturnType<typeof emptyApplication>; record?: Application | undefined }) => (
        <ApplicationForm {...props} paths={only.paths} choosesType={only.saleType === undefined} />
      ),
      useItems: useApplicationItems,
      newBody: newApplicationBody,
      editedBody: editedApplicationBody,
      useSaved() {
        const begin = useBeginApplication();
        return async ({ id, reply, values: { file, name } }) => {
          if (!file || !opensUpload(reply)) return;
          const { partSize, uploadId } = reply;
          await begin({ id, name, uploadId, partSize, file, storedBytes: 0 });
        };
      },
    },
    detail: {
      useTitle:
        () =>
        ({ name }) =>
          name,
      Body: ApplicationBody,
    },
  });

export const applications = applicationRecord({ paths: applicationPaths, texts: 'applications' });
export const salesApplications = applicationRecord({
  paths: salesApplicationPaths,
  texts: 'salesApplications',
  saleType: 2,
});
