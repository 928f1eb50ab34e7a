import { Badge, chakra, Flex } from '@chakra-ui/react';
import type { deliveryRoutes, RouteReply } from '@portal/contracts';
import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { useStageWords } from '../rollout/plan-words.ts';

export type Version = RouteReply<typeof deliveryRoutes.listVersions>['versions'][number];

const tones: Readonly<Record<Version['state'], string>> = {
  current: 'success',
  reserved: 'accent',
  former: 'gray',
  removed: 'gray',
};

interface VersionItemProps {
  version: Version;
  /** Undefined where the caller may not put it back. */
  onPutBack: (() => void) | undefined;
  /** What else can be done with it. */
  children?: ReactNode;
}

/** A version in the time line of its file: who, when, and what became of it. */
export function VersionItem({ children, onPutBack, version: shown }: VersionItemProps) {
  const { t } = useTranslation(['files', 'rollout']);
  const stageWords = useStageWords();
  const format = useFormat();
  const { createdBy, fileSize, note, restoredFrom, rollout, state, version } = shown;
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
        {children}
        {state === 'former' && onPutBack && (
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
