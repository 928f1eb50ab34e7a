import { chakra, Flex, Stack } from '@chakra-ui/react';
import { queryOptions } from '@portal/api-client/query';
import { fileRoutes } from '@portal/contracts';
import { useQueries } from '@tanstack/react-query';
import { CircleCheck, CloudUpload, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { type FileDetail, fileDetailPath } from '../../../components/files/file.ts';
import { DeliveryState, GroupTags } from '../../../components/files/file-parts.tsx';
import type { UploadItem } from '../../../components/upload/upload-store.ts';
import { useUploadItems } from '../../../components/upload/use-is-uploaded-here.ts';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { fileGroupsPath, fileListPath } from './file-flows.ts';
import { useFileCrumbs } from './use-file-crumbs.ts';
import { useMayDistribute } from './use-may-distribute.ts';

type Fate = 'running' | 'done' | 'stopped';

/** Of a file by its upload here, else by what the server knows: after a reload there is no upload here any more. */
function fateOf(item: UploadItem | undefined, file: FileDetail | undefined): Fate {
  if (item?.stage === 'failed' || item?.stage === 'unfollowed') return 'stopped';
  if (item) return item.stage === 'done' ? 'done' : 'running';
  if (!file) return 'running';
  return file.uploadStatus === 'complete' ? 'done' : 'stopped';
}

/** What has become of the files that were published just now. Their uploads go on wherever one goes. */
export function PublishedFiles({ ids, next }: { ids: readonly number[]; next: ReactNode }) {
  const { t } = useTranslation('files');
  const api = useApi();
  const { partner } = usePartnerSession();
  const mayDistribute = useMayDistribute();
  const items = useUploadItems();
  const crumbs = useFileCrumbs(t('create'));
  const files = useQueries({
    queries: ids.map((id) => queryOptions(api, fileRoutes.getFile, { params: { pid: partner.id, id } })),
  });

  const published = ids.flatMap((id, index) => {
    const item = items.find(({ task }) => task.fileId === id);
    const { data: file, error } = files[index] ?? {};
    // Taken back, or deleted.
    if (!item && error) return [];
    return { id, file, fate: fateOf(item, file), name: file?.name ?? item?.task.name ?? '' };
  });
  if (published.length === 0) return <Navigate to={fileListPath} replace />;
  const fates = published.map(({ fate }) => fate);
  const whole = fates.includes('running') ? 'running' : fates.includes('stopped') ? 'stopped' : 'done';
  const [only] = published.length === 1 ? published : [];
  const Icon = { running: CloudUpload, done: CircleCheck, stopped: TriangleAlert }[whole];
  const tone = { running: 'fg.info', done: 'fg.success', stopped: 'fg.warning' }[whole];
  // What nobody gets yet can be assigned once its bytes are there.
  const canAssign = mayDistribute && only?.fate === 'done' && only.file?.groups.length === 0;
  return (
    <>
      <PageHeader
        title={t({ running: 'publishing', done: 'complete', stopped: 'publishStopped' }[whole] as 'complete')}
        crumbs={crumbs}
      />
      <Panel maxW="form" p={{ base: '5', md: '8' }}>
        <Flex gap="3">
          <chakra.span color={tone} flexShrink="0">
            <Icon size={24} aria-hidden />
          </chakra.span>
          <chakra.div overflowWrap="anywhere" flex="1" minW="0">
            <chakra.p fontSize="md" role="status">
              {whole === 'running' && t('publishingText')}
              {whole === 'stopped' && t('publishStoppedText')}
              {whole === 'done' &&
                t(only ? 'created' : 'createdMany', { name: only?.name, count: published.length })}
              {canAssign && (
                <>
                  <br />
                  {t('createdNext')}
                </>
              )}
            </chakra.p>
            <Stack as="ul" role="list" gap="3" mt="4">
              {published.map(({ fate, file, id, name }) => (
                <li key={id}>
                  <Link to={editLink(fileDetailPath, id, partner.name)} fontWeight="medium">
                    {name}
                  </Link>
                  {file && fate === 'done' && (
                    <Flex mt="1" gap="3" wrap="wrap" align="center">
                      <DeliveryState file={file} />
                      <GroupTags groups={file.groups} />
                    </Flex>
                  )}
                </li>
              ))}
            </Stack>
          </chakra.div>
        </Flex>
        <Flex mt="6" gap="2" wrap="wrap">
          {canAssign && (
            <ButtonLink to={editLink(fileGroupsPath, only.id, partner.name)}>{t('assign')}</ButtonLink>
          )}
          {next}
        </Flex>
      </Panel>
    </>
  );
}
