import { Badge, chakra, Flex } from '@chakra-ui/react';
import { Archive, Package } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { LongWord } from '../../ui/long-word.tsx';
import { Tags } from '../../ui/tags.tsx';
import { type FileRow, isUpdatePending } from './file.ts';

/** The package's own icon, or a sign for its kind. */
export function FileIcon({ file }: { file: Pick<FileRow, 'fileName' | 'iconSignedUrl'> }) {
  const Kind = file.fileName.toLowerCase().endsWith('.uap') ? Package : Archive;
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flexShrink="0"
      boxSize="9"
      overflow="hidden"
      borderRadius="md"
      borderWidth="1px"
      bg="bg.subtle"
      color="fg.subtle"
    >
      {file.iconSignedUrl ? (
        <chakra.img src={file.iconSignedUrl} alt="" boxSize="full" objectFit="cover" />
      ) : (
        <Kind size={18} strokeWidth={1.6} aria-hidden />
      )}
    </chakra.span>
  );
}

/** What lies below the name of a file: what its bytes are called, and how many they are. */
export function FileNameLine({ file }: { file: Pick<FileRow, 'fileName' | 'fileSize'> }) {
  const format = useFormat();
  return (
    <chakra.span
      display="flex"
      flexWrap="wrap"
      columnGap="2"
      fontSize="xs"
      fontWeight="normal"
      fontVariantNumeric="tabular-nums"
      color="fg.muted"
    >
      <LongWord>{file.fileName}</LongWord>
      <chakra.span whiteSpace="nowrap">{format.fileSize(file.fileSize)}</chakra.span>
    </chakra.span>
  );
}

type Scheduled = Pick<FileRow, 'uploadStatus' | 'deliverReservationAt' | 'updateReservationAt'>;

interface StateProps {
  tone: 'success' | 'info' | 'warning' | 'danger';
  label: string;
  detail?: string;
}

function State({ tone, label, detail }: StateProps) {
  return (
    <Flex direction="column" align="flex-start" gap="0.5">
      <Badge colorPalette={tone}>{label}</Badge>
      {detail !== undefined && (
        <chakra.span
          fontSize="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
          minW="6.5rem"
          wordBreak="keep-all"
        >
          {detail}
        </chakra.span>
      )}
    </Flex>
  );
}

/** Whether players get the file, and from when. Without a reservation it counts as delivered. */
export function DeliveryState({ file }: { file: Scheduled }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const at = file.deliverReservationAt;
  if (file.uploadStatus === 'uploading') return <State tone="warning" label={t('state.uploading')} />;
  if (file.uploadStatus === 'aborted') return <State tone="danger" label={t('state.aborted')} />;
  if (at === null) return <State tone="success" label={t('state.delivered')} />;
  const time = format.dateTimeWithZone(at);
  return new Date(at) > new Date() ? (
    <State tone="info" label={t('state.reserved')} detail={t('state.deliveredFrom', { time })} />
  ) : (
    <State tone="success" label={t('state.delivered')} detail={t('state.deliveredSince', { time })} />
  );
}

/** The update that waits for its time, or when the last one took effect. */
export function UpdateState({ file }: { file: Scheduled }) {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  if (file.updateReservationAt === null) return <chakra.span color="fg.subtle">{t('ui:none')}</chakra.span>;
  const time = format.dateTimeWithZone(file.updateReservationAt);
  return isUpdatePending(file) ? (
    <State tone="info" label={t('state.updateReserved')} detail={t('state.updateReservedFor', { time })} />
  ) : (
    <chakra.span fontSize="xs" color="fg.muted">
      {t('state.updated', { time })}
    </chakra.span>
  );
}

/** How many groups are named before the rest is counted. */
const shownGroups = 3;

/** The groups of a file as tags. Group 0 is everyone. */
export function GroupTags({ groups, all = false }: { groups: FileRow['groups']; all?: boolean }) {
  const { t } = useTranslation('files');
  const names = groups.map(({ id, name }) => (id === 0 ? t('everyone') : name));
  return <Tags names={names} none={t('noGroups')} most={all ? undefined : shownGroups} />;
}
