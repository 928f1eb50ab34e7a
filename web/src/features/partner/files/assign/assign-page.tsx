import { chakra, Flex } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router-dom';
import { type FileDetail } from '../../../../components/files/file.ts';
import { DeliveryState, FileIcon } from '../../../../components/files/file-parts.tsx';
import { usePickableGroups } from '../../../../components/groups/use-pickable-groups.ts';
import { RecordLoader } from '../../../../components/record-loader.tsx';
import { useIsFresh } from '../../../../components/use-is-fresh.ts';
import { useApiQuery } from '../../../../lib/api.ts';
import { idOf } from '../../../../lib/edit-link.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { useAnnouncer } from '../../../../ui/feedback/announcer.tsx';
import { EmptyState } from '../../../../ui/feedback/states.tsx';
import { PageHeader } from '../../../../ui/page/page-header.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { fileListPath } from '../file-flows.ts';
import { isUnderWay, useStages } from '../rollout/use-stages.ts';
import { useFileCrumbs } from '../use-file-crumbs.ts';
import { useMayDistribute } from '../use-may-distribute.ts';
import { AssignForm } from './assign-form.tsx';

export function FileGroupsPage() {
  const { t } = useTranslation('files');
  const mayDistribute = useMayDistribute();
  const [params] = useSearchParams();
  const id = idOf(params);
  return (
    <>
      <PageHeader title={t('assignPage.title')} crumbs={useFileCrumbs(t('assignPage.title'))} />
      {mayDistribute ? (
        <Assignment key={id} id={id} />
      ) : (
        <Panel maxW="form">
          <EmptyState
            title={t('assignPage.adminOnly')}
            action={<ButtonLink to={fileListPath}>{t('toList')}</ButtonLink>}
          />
        </Panel>
      )}
    </>
  );
}

function Assignment({ id }: { id: number }) {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  const file = useApiQuery(fileRoutes.getFile, { params: { pid: partner.id, id } });
  const groups = usePickableGroups();
  const stages = useStages(file.data);
  const isFresh = useIsFresh(file, groups, {
    data: stages,
    error: null,
    isFetching: stages?.isFetching ?? true,
  });

  if (file.error?.status === 404) return <FileNotFound />;
  if (file.data && groups.data && stages && isFresh) {
    return (
      <>
        <Subject file={file.data} />
        <AssignForm file={file.data} groups={groups.data} hasStages={isUnderWay(stages.current?.rollout)} />
      </>
    );
  }
  return (
    <RecordLoader
      queries={[file, groups]}
      rows={6}
      action={<ButtonLink to={fileListPath}>{t('toList')}</ButtonLink>}
    />
  );
}

/** The list says the rest: the file is not in it. */
function FileNotFound() {
  const { t } = useTranslation('files');
  const { toast } = useAnnouncer();
  useEffect(() => {
    toast({ tone: 'error', message: t('assignPage.notFound') });
  }, []);
  return <Navigate to={fileListPath} replace />;
}

function Subject({ file }: { file: FileDetail }) {
  const format = useFormat();
  return (
    <Panel maxW="form" mb="5" px={{ base: '4', md: '6' }} py="4">
      <Flex align="center" gap="3" wrap="wrap">
        <FileIcon file={file} />
        <chakra.div flex="1" minW="10rem">
          <chakra.p fontWeight="semibold" overflowWrap="anywhere">
            {file.name}
          </chakra.p>
          <chakra.p fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
            {file.fileName} · {format.fileSize(file.fileSize)}
          </chakra.p>
        </chakra.div>
        <DeliveryState file={file} />
      </Flex>
    </Panel>
  );
}
