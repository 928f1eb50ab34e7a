import { Badge, chakra, Flex } from '@chakra-ui/react';
import { deliveryRoutes, type RouteReply } from '@portal/contracts';
import { Download, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileDetail } from '../../../components/files/file.ts';
import { useApiList } from '../../../lib/api.ts';
import { downloadFrom } from '../../../lib/download.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailSkeleton, ErrorState } from '../../../ui/feedback/states.tsx';
import { Pager } from '../../../ui/list/pager.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { PutBack } from './put-back.tsx';
import { useStageWords } from './rollout/plan-words.ts';
import { useMayChangeDelivery } from './use-may-distribute.ts';

export type Version = RouteReply<typeof deliveryRoutes.listVersions>['versions'][number];

const tones: Readonly<Record<Version['state'], string>> = {
  current: 'success',
  reserved: 'accent',
  former: 'gray',
  removed: 'gray',
};

/** The versions of a file as a time line, newest first, each with the way back to it. */
export function Versions({ file }: { file: FileDetail }) {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  const paging = usePaging();
  const { page, perPage } = paging;
  const [chosen, setChosen] = useState<Version>();
  const query = useApiList(deliveryRoutes.listVersions, {
    params: { pid: partner.id, id: file.id },
    query: { page, perPage },
  });
  const { data, error } = query;
  usePageWithin(paging, data?.totalPage);
  if (data?.totalCount === 0) return null;
  return (
    <Section title={t('versions.title')} lead={t('versions.lead')}>
      <Panel px="5" py="2">
        {error && !data && <ErrorState error={error} onRetry={() => void query.refetch()} />}
        {!error && !data && <DetailSkeleton rows={2} />}
        {data && (
          <chakra.ol aria-label={t('versions.title')}>
            {data.versions.map((version) => (
              <VersionItem
                key={`${version.version} ${version.state}`}
                version={version}
                file={file}
                onPutBack={() => setChosen(version)}
              />
            ))}
          </chakra.ol>
        )}
      </Panel>
      {data && data.totalPage > 1 && (
        <Pager list={paging} totalPage={data.totalPage} totalCount={data.totalCount} />
      )}
      <PutBack file={file} version={chosen} onClose={() => setChosen(undefined)} />
    </Section>
  );
}

interface VersionItemProps {
  version: Version;
  file: FileDetail;
  onPutBack: () => void;
}

function VersionItem({ file, onPutBack, version: shown }: VersionItemProps) {
  const { t } = useTranslation(['files', 'rollout']);
  const stageWords = useStageWords();
  const format = useFormat();
  const mayChangeDelivery = useMayChangeDelivery();
  const { createdBy, fileSize, note, restoredFrom, rollout, signedUrl, state, version } = shown;
  const name = t('versions.name', { version });
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      justifyContent="space-between"
      alignItems="flex-start"
      gap="3"
      ps="5"
      py="3"
      borderStartWidth="2px"
      borderColor={state === 'current' ? 'success.solid' : 'border'}
      opacity={state === 'removed' ? 0.85 : undefined}
    >
      <chakra.div minW="0" flex="1 1 18rem">
        <Flex align="center" gap="2" wrap="wrap">
          <chakra.strong fontWeight="semibold">{name}</chakra.strong>
          <Badge colorPalette={tones[state]}>{t(`versions.states.${state}`)}</Badge>
        </Flex>
        <chakra.p fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          <LiveTime version={shown} />
          {' · '}
          {format.fileSize(fileSize)}
          {createdBy !== null && createdBy.name !== '' && (
            <>
              {' · '}
              <chakra.span overflowWrap="anywhere">{createdBy.name}</chakra.span>
            </>
          )}
        </chakra.p>
        {restoredFrom !== null && (
          <chakra.p fontSize="xs" color="fg.muted">
            {t('versions.restoredFrom', { version: restoredFrom })}
          </chakra.p>
        )}
        {rollout !== null && (
          <chakra.p fontSize="xs" color="fg.muted" whiteSpace="pre-line">
            {`${t('rollout:title')}: ${stageWords(rollout)}`}
          </chakra.p>
        )}
        {note !== '' && (
          <chakra.p mt="1" whiteSpace="pre-line" overflowWrap="anywhere">
            {note}
          </chakra.p>
        )}
      </chakra.div>
      <Flex gap="2">
        {signedUrl !== null && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Download />}
            aria-label={t('versions.downloadOf', { version })}
            onClick={() => downloadFrom(signedUrl)}
          >
            {t('download')}
          </Button>
        )}
        {state === 'former' && mayChangeDelivery(file) && (
          <Button
            size="sm"
            variant="outline"
            icon={<Undo2 />}
            aria-label={t('versions.putBackOf', { version })}
            onClick={onPutBack}
          >
            {t('versions.putBack')}
          </Button>
        )}
      </Flex>
    </chakra.li>
  );
}

function LiveTime({ version: { liveFrom, liveUntil, state } }: { version: Version }) {
  const { t } = useTranslation('files');
  const { dateTime, dateTimeWithZone } = useFormat();
  if (state === 'reserved') return t('versions.from', { time: dateTimeWithZone(liveFrom) });
  if (liveUntil === null) return t('versions.since', { time: dateTime(liveFrom) });
  return t('versions.between', { from: dateTime(liveFrom), until: dateTime(liveUntil) });
}
