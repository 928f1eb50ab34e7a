import { Badge } from '@chakra-ui/react';
import { pushRoutes, type RouteReply } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { CertificateEnd } from '../../../components/certificates/certificate-end.tsx';
import { CertificateFields } from '../../../components/certificates/certificate-fields.tsx';
import {
  type CertificateValues,
  certificateBody,
  changedCertificateBody,
  emptyCertificate,
} from '../../../components/certificates/certificate-rules.ts';
import { useCertificateForm } from '../../../components/certificates/use-certificate-form.ts';
import {
  useCertificateFacts,
  useCertificateItems,
} from '../../../components/certificates/use-certificate-items.tsx';
import { DeleteUnlessInUse } from '../../../components/record/delete-unless-in-use.tsx';
import { type DeleteRecordProps, defineRecord, type RecordLinks } from '../../../components/record/record.ts';
import { RecordForm } from '../../../components/record/record-form-pages.tsx';
import type { RecordPaths } from '../../../components/record/record-paths.ts';
import { useTenant } from '../../../components/tenant.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import { TextField } from '../../../ui/form/fields.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { changedItem, DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { certificationPaths, tenantCertificationPaths } from './certification-paths.ts';

type Certification = RouteReply<typeof pushRoutes.getCertification>;
type OrderKey = (typeof pushRoutes.certificationOrderKeys)[number];

function useColumns({ toDetail }: RecordLinks): readonly Column<Certification, OrderKey>[] {
  const { t } = useTranslation('certificates');
  const { dateTime } = useFormat();
  const { isOwn } = useTenant();
  return [
    {
      id: 'id',
      header: t('id'),
      cell: ({ id }) => id,
      orderKey: 'id',
      numeric: true,
      width: '4.5rem',
      wideOnly: '2xl',
    },
    {
      id: 'name',
      header: t('name'),
      // For administrators the list is all that there is.
      cell: (one) =>
        isOwn ? <NameLink to={toDetail(one)}>{one.name}</NameLink> : <LongWord>{one.name}</LongWord>,
      orderKey: 'name',
      isRowHeader: true,
      width: '24%',
    },
    {
      id: 'android',
      header: t('android'),
      cell: ({ projectId }) => (projectId ? <code>{projectId}</code> : t('none')),
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'topic',
      header: t('ios'),
      cell: ({ topic }) => (topic ? <code>{topic}</code> : t('none')),
      wideOnly: 'xl',
      onCard: true,
    },
    {
      id: 'end',
      header: t('expiresAt'),
      cell: ({ certificateExpiresAt }) => <CertificateEnd expiresAt={certificateExpiresAt} />,
      width: '13rem',
      onCard: true,
    },
    {
      id: 'inUse',
      header: t('inUse'),
      cell: ({ inUse }) => inUse && <Badge colorPalette="info">{t('inUseShort')}</Badge>,
      width: '7rem',
      wideOnly: 'xl',
      onCard: true,
    },
    {
      id: 'updatedAt',
      header: t('updatedAt'),
      cell: ({ updatedAt }) => dateTime(updatedAt),
      orderKey: 'updatedAt',
      numeric: true,
      width: '11rem',
      wideOnly: '2xl',
    },
  ];
}

interface FormProps {
  initial: CertificateValues;
  record?: Certification | undefined;
}

/** The form of a new certificate, and of one that is edited. */
function CertificationForm({ initial, record: before }: FormProps) {
  const { t } = useTranslation('certificates');
  const certificate = useCertificateForm(initial, true, before);
  const { form, isReading, submit } = certificate;
  return (
    <RecordForm
      form={form}
      paths={certificationPaths}
      onSubmit={submit}
      pending={isReading}
      more={<CertificateFields before={before} {...certificate} />}
    >
      <TextField {...form.field('name')} required help={t('nameHelp')} />
    </RecordForm>
  );
}

function CertificationBody({ record: certification }: { record: Certification }) {
  const { t } = useTranslation('certificates');
  const { dateTime } = useFormat();
  return (
    <Section title={t('facts')}>
      <Panel>
        <DescriptionList
          items={[
            ...useCertificateFacts(certification),
            { label: t('createdAt'), value: dateTime(certification.createdAt) },
            { label: t('updatedAt'), value: dateTime(certification.updatedAt) },
          ]}
        />
      </Panel>
    </Section>
  );
}

const isInUse = (certification: Certification) => certification.inUse;

/** Asks before certificates are deleted. One that notifications wait for cannot be: that is told before. */
function DeleteCertifications(props: DeleteRecordProps<Certification>) {
  const { t } = useTranslation('certificates');
  return (
    <DeleteUnlessInUse
      {...props}
      isInUse={isInUse}
      texts={{
        title: (count) => t('cannotDelete.title', { count }),
        text: t('cannotDelete.text'),
        others: (count) => t('cannotDelete.others', { count }),
      }}
      waysOf={() => null}
    />
  );
}

const valuesOf = ({ name }: Certification): CertificateValues => ({ ...emptyCertificate, name });

type ListCall = typeof pushRoutes.listCertifications | typeof pushRoutes.listPartnerCertifications;

/** The certificates of the company that the pages at `paths` are about. */
const recordAt = (paths: RecordPaths, list: ListCall) =>
  defineRecord({
    paths,
    texts: 'certifications',
    lines: 6,
    useScope: () => ({ pid: useTenant().id }),
    useParentCrumbs: () => useTenant().crumbs,
    useParentName() {
      const { isOwn, name } = useTenant();
      return isOwn ? '' : name;
    },
    idParam: 'id',
    calls: {
      list,
      get: pushRoutes.getCertification,
      create: pushRoutes.createCertification,
      update: pushRoutes.updateCertification,
      remove: pushRoutes.deleteCertification,
      csv: pushRoutes.exportCertifications,
    },
    Delete: DeleteCertifications,
    list: {
      orderKeys: pushRoutes.certificationOrderKeys,
      filters: { name: 'text' },
      pageOf: (reply) => ('totalCount' in reply ? { ...reply, rows: reply.certifications } : undefined),
      useColumns,
      csv: { fileName: 'certifications.csv', query: () => ({ tz: viewerZone() }) },
    },
    form: {
      empty: emptyCertificate,
      valuesOf,
      Form: CertificationForm,
      useItems(values, before, certification) {
        const { t } = useTranslation('certificates');
        return [
          changedItem(t('name'), values.name, before?.name, (name) => name),
          ...useCertificateItems(values, certification),
        ];
      },
      newBody: async (values: CertificateValues) => ({
        name: values.name,
        ...(await certificateBody(values)),
      }),
      editedBody: async (values: CertificateValues) => ({
        name: values.name,
        ...(await changedCertificateBody(values)),
      }),
    },
    detail: {
      useTitle:
        () =>
        ({ name }) =>
          name,
      Body: CertificationBody,
    },
  });

export const record = recordAt(certificationPaths, pushRoutes.listCertifications);
/** The same for administrators, who read them. */
export const tenantRecord = recordAt(tenantCertificationPaths, pushRoutes.listPartnerCertifications);
