import { chakra, Flex } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { CirclePlay, Download, Pencil, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { type FileDetail, isResumable, isUpdatePending } from '../../../components/files/file.ts';
import { DeliveryState, FileIcon } from '../../../components/files/file-parts.tsx';
import { InTurn } from '../../../components/in-turn.tsx';
import { History } from '../../../components/operation-log/history.tsx';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useTenant, useTenantLinks } from '../../../components/tenant.ts';
import { useIsUploadedHere } from '../../../components/upload/use-is-uploaded-here.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { downloadFrom } from '../../../lib/download.ts';
import { editLink, idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { useShownInPieces } from '../../../lib/use-shown-in-pieces.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Link } from '../../../ui/link.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { DeleteFiles } from './delete-files.tsx';
import { DeliverySection } from './delivery/delivery-section.tsx';
import { fileEditFlow, fileGroupsPath } from './file-flows.ts';
import { RolloutSection } from './rollout/rollout-section.tsx';
import { useDraftsWatched } from './use-drafts-watched.ts';
import { useFileCrumbs } from './use-file-crumbs.ts';
import { isAssignable, useMayChangeDelivery, useMayDistribute } from './use-may-distribute.ts';
import { Versions } from './versions.tsx';

export function FileDetailPage() {
  const { t } = useTranslation(['files', 'ui']);
  const may = useMay();
  const partner = useTenant();
  const [params] = useSearchParams();
  const file = useApiQuery(fileRoutes.getFile, { params: { pid: partner.id, id: idOf(params) } });
  const [wasKnown] = useState(file.data !== undefined);
  const isShown = useShownInPieces(file.data !== undefined);
  const data = isShown ? file.data : undefined;
  const { toList } = useTenantLinks();
  return (
    <>
      <PageHeader
        title={data?.name ?? t('detail')}
        crumbs={useFileCrumbs(t('detail'))}
        action={
          data && (
            <>
              {data.signedUrl !== null && <DownloadButton signedUrl={data.signedUrl} />}
              {may('updateFile') && !data.application && (
                <ButtonLink
                  to={editLink(fileEditFlow.paths.form, data.id, partner.name)}
                  variant="outline"
                  icon={<Pencil />}
                >
                  {t('ui:edit')}
                </ButtonLink>
              )}
            </>
          )
        }
      />
      {data ? (
        <FileSections file={data} wasKnown={wasKnown} />
      ) : (
        <RecordLoader
          queries={[file]}
          rows={8}
          action={<ButtonLink to={toList('files')}>{t('toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

function DownloadButton({ signedUrl }: { signedUrl: string }) {
  const { t } = useTranslation('files');
  return (
    <Button variant="outline" icon={<Download />} onClick={() => downloadFrom(signedUrl)}>
      {t('download')}
    </Button>
  );
}

interface FileSectionsProps {
  file: FileDetail;
  /** Whether it was before the page was opened. */
  wasKnown: boolean;
}

function FileSections({ file, wasKnown }: FileSectionsProps) {
  const { t } = useTranslation('files');
  const may = useMay();
  const navigate = useNavigate();
  const mayChangeDelivery = useMayChangeDelivery();
  const { toList } = useTenantLinks();
  const [deleting, setDeleting] = useState(false);
  return (
    <chakra.div maxW="page">
      <UnfinishedUpload file={file} />
      {file.application && (
        <chakra.div mb="5">
          <Notice tone="info">
            {t(file.saleType === 1 ? 'application.deliveredBy' : 'application.offeredBy', {
              publisher: file.publisher ?? t('application.operator'),
            })}
          </Notice>
        </chakra.div>
      )}
      <Section title={t('sections.about')}>
        <FileFacts file={file} />
      </Section>
      <Section title={t('audience.title')} action={<AssignButton file={file} />}>
        <Audience file={file} />
      </Section>
      {!file.application && (
        <Section title={t('sections.reservations')}>
          <Reservations file={file} />
        </Section>
      )}
      <InTurn atOnce={wasKnown}>
        {may('getRollout') && !file.application && <RolloutSection file={file} />}
        {may('getDelivery') && <DeliverySection file={file} />}
        {may('listVersions') && !file.application && <Versions file={file} />}
        <History kind="file" id={file.id} />
        {may('deleteFile') && mayChangeDelivery(file) && (
          <>
            <Button
              variant="outline"
              colorPalette="danger"
              icon={<Trash2 />}
              onClick={() => setDeleting(true)}
            >
              {t('delete')}
            </Button>
            <DeleteFiles
              files={deleting ? [file] : []}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate(toList('files'), { replace: true, flushSync: true })}
            />
          </>
        )}
      </InTurn>
    </chakra.div>
  );
}

/** An upload that stopped, and the way to go on with it. */
function UnfinishedUpload({ file }: { file: FileDetail }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const may = useMay();
  const partner = useTenant();
  const mayChangeDelivery = useMayChangeDelivery();
  const isUploadedHere = useIsUploadedHere();
  useDraftsWatched([file]);
  if (!isResumable(file) || isUploadedHere(file)) return null;
  const { fileName, fileSize, storedBytes } = file.upload;
  const size = format.fileSize(fileSize);
  return (
    <chakra.div mb="5">
      <Notice tone="warning">
        <Flex justify="space-between" align="center" gap="3" wrap="wrap">
          <span>
            {t('upload.stopped', { name: fileName })}{' '}
            {t('state.stored', { stored: format.fileSize(storedBytes), size })}
          </span>
          {may('updateFile') && mayChangeDelivery(file) && (
            <ButtonLink
              to={editLink(fileEditFlow.paths.form, file.id, partner.name)}
              size="sm"
              icon={<CirclePlay />}
            >
              {t('resume')}
            </ButtonLink>
          )}
        </Flex>
      </Notice>
    </chakra.div>
  );
}

function FileFacts({ file }: { file: FileDetail }) {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('stateLabel'), value: <DeliveryState file={file} /> },
          { label: t('id'), value: file.id },
          {
            label: t('fileName'),
            value: (
              <Flex as="span" align="center" gap="3">
                <FileIcon file={file} />
                {file.fileName}
              </Flex>
            ),
          },
          { label: t('size'), value: format.fileSize(file.fileSize) },
          { label: t('version'), value: file.version },
          { label: t('sha256'), value: file.sha256 ?? t('ui:none') },
          { label: t('note'), value: file.note || t('ui:none') },
          { label: t('createdAt'), value: format.dateTime(file.createdAt) },
          { label: t('updatedAt'), value: format.dateTime(file.updatedAt) },
        ]}
      />
    </Panel>
  );
}

function AssignButton({ file }: { file: FileDetail }) {
  const { t } = useTranslation('files');
  const partner = useTenant();
  const mayDistribute = useMayDistribute();
  // What has no bytes yet is delivered to nobody.
  if (!mayDistribute || !isAssignable(file) || file.uploadStatus !== 'complete') return null;
  return (
    <ButtonLink
      to={editLink(fileGroupsPath, file.id, partner.name)}
      size="sm"
      variant={file.state === 'nobody' ? 'solid' : 'outline'}
      icon={<UsersRound />}
    >
      {t('assign')}
    </ButtonLink>
  );
}

/** Who gets the file, and through what; or why nobody does. */
function Audience({ file }: { file: FileDetail }) {
  const { t } = useTranslation('files');
  const may = useMay();
  const { toDetail } = useTenantLinks();
  const { groups, state } = file;
  return (
    <Panel p="5">
      <chakra.p mb={groups.length > 0 ? '2' : undefined}>{t(`audience.${state}`)}</chakra.p>
      {groups.length > 0 && (
        <chakra.ul listStyleType="disc" ps="5">
          {groups.map(({ id, name }) => (
            <li key={id}>
              {id === 0 && t('audience.everyone')}
              {id !== 0 && (may('getGroup') ? <Link to={toDetail('groups', id)}>{name}</Link> : name)}
            </li>
          ))}
        </chakra.ul>
      )}
    </Panel>
  );
}

function Reservations({ file }: { file: FileDetail }) {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  const at = (time: string | null) => (time === null ? t('ui:none') : format.dateTimeWithZone(time));
  const isWaiting = isUpdatePending(file);
  const update = at(file.updateReservationAt);
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('deliverReservationAt'), value: at(file.deliverReservationAt) },
          {
            label: t('updateReservationAt'),
            value:
              isWaiting || file.updateReservationAt === null ? update : t('state.updated', { time: update }),
          },
          ...(isWaiting ? [{ label: t('updateFile'), value: file.updateReservationFileName }] : []),
        ]}
      />
    </Panel>
  );
}
