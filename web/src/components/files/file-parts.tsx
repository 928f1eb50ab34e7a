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

/** Who publishes an application; of a file of the company's own nothing. */
export function Publisher({ file }: { file: Pick<FileRow, 'application' | 'publisher' | 'saleType'> }) {
  const { t } = useTranslation('files');
  if (!file.application) return null;
  const isOffer = file.saleType === 2;
  return (
    <Flex as="span" align="center" gap="1.5" mt="1" wrap="wrap">
      <Badge colorPalette={isOffer ? 'accent' : 'gray'}>
        {t(isOffer ? 'application.offer' : 'application.delivery')}
      </Badge>
      <chakra.span fontSize="xs" fontWeight="normal" color="fg.muted" overflowWrap="anywhere">
        {t('application.publisher', { publisher: file.publisher ?? t('application.operator') })}
      </chakra.span>
    </Flex>
  );
}

type Scheduled = Pick<FileRow, 'updateReservationAt'>;

interface StateProps {
  tone: 'success' | 'info' | 'warning' | 'gray';
  label: string;
  detail?: string | undefined;
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

const tones: Readonly<Record<FileRow['state'], StateProps['tone']>> = {
  draft: 'gray',
  uploading: 'info',
  interrupted: 'warning',
  nobody: 'warning',
  reserved: 'info',
  update_reserved: 'success',
  delivered: 'success',
};

type Stated = Pick<
  FileRow,
  'deliverReservationAt' | 'fileSize' | 'state' | 'updateReservationAt' | 'upload' | 'uploadStatus'
>;

/** Whether people get the file, and from when; before, how far its upload is. */
export function DeliveryState({ file }: { file: Stated }) {
  const { t } = useTranslation('files');
  const detail = useStateDetail(file);
  return <State tone={tones[file.state]} label={t(`states.${file.state}`)} detail={detail} />;
}

function useStateDetail(file: Stated): string | undefined {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { deliverReservationAt, state, upload } = file;
  const time = (at: string) => ({ time: format.dateTimeWithZone(at) });
  const sent = upload && {
    stored: format.fileSize(upload.storedBytes),
    size: format.fileSize(upload.fileSize ?? upload.storedBytes),
  };
  if (state === 'draft' || state === 'uploading' || state === 'interrupted') {
    return sent && sent.stored !== sent.size ? t('state.stored', sent) : undefined;
  }
  // New bytes of a file that is complete: what people get stays as it is until then.
  if (sent) return t('state.newVersion', sent);
  if (state === 'nobody' || deliverReservationAt === null) return undefined;
  return state === 'reserved'
    ? t('state.deliveredFrom', time(deliverReservationAt))
    : t('state.deliveredSince', time(deliverReservationAt));
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
