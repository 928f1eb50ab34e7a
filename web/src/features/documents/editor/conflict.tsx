import { chakra, Flex } from '@chakra-ui/react';
import type { ApiError } from '@portal/api-client';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PageSpinner } from '../../../ui/feedback/states.tsx';
import { type JsonObject, prettyJson } from './json.ts';
import { mergeDocuments } from './merge-documents.ts';
import { Refusal } from './refusal.tsx';
import { type StoredDocument, writtenOf } from './stored-document.ts';

const SideBySide = lazy(async () => ({
  default: (await import('../../../ui/code/difference.tsx')).SideBySide,
}));

interface ConflictProps {
  name: string;
  /** What both began with. */
  base: JsonObject;
  mine: JsonObject;
  /** Undefined where somebody has deleted it. */
  theirs: StoredDocument | undefined;
  /** Why the way that was chosen out of it was not taken. */
  refusal: ApiError | null;
  pending: boolean;
  onTakeTheirs: () => void;
  onTakeMine: () => void;
  onTakeBoth: (both: JsonObject) => void;
}

/** Somebody was faster: both versions beside each other, and the ways out of it. */
export function Conflict({
  base,
  mine,
  name,
  onTakeBoth,
  onTakeMine,
  onTakeTheirs,
  pending,
  refusal,
  theirs,
}: ConflictProps) {
  const { t } = useTranslation('documents');
  const { dateTime } = useFormat();
  const merge = theirs && mergeDocuments(base, mine, writtenOf(theirs));
  return (
    <Dialog
      open
      persistent
      onClose={onTakeTheirs}
      title={t(theirs ? 'conflict.title' : 'conflict.goneTitle')}
      width="72rem"
      actions={
        <>
          <Button variant="outline" colorPalette="gray" disabled={pending} onClick={onTakeTheirs}>
            {t(theirs ? 'conflict.takeTheirs' : 'conflict.leaveGone')}
          </Button>
          <Button variant="outline" colorPalette="danger" pending={pending} onClick={onTakeMine}>
            {t(theirs ? 'conflict.takeMine' : 'conflict.saveAgain')}
          </Button>
          {merge && (
            <Button disabled={pending} onClick={() => onTakeBoth(merge.merged)}>
              {t('conflict.takeBoth')}
            </Button>
          )}
        </>
      }
    >
      <chakra.div color="fg">
        <Refusal error={refusal} />
        <Notice tone="warning">
          {theirs
            ? t('conflict.text', { id: name, at: dateTime(theirs._updated_at) })
            : t('conflict.goneText', { id: name })}{' '}
          {merge &&
            (merge.both.length === 0
              ? t('conflict.apart')
              : t('conflict.same', { fields: merge.both.join(', ') }))}
        </Notice>
        {theirs && (
          <>
            <Flex mt="4" mb="1" fontSize="xs" fontWeight="semibold">
              <chakra.span flex="1">{t('conflict.theirs')}</chakra.span>
              <chakra.span flex="1" ps="3">
                {t('conflict.mine')}
              </chakra.span>
            </Flex>
            <Suspense fallback={<PageSpinner />}>
              <SideBySide
                left={{ label: t('conflict.theirs'), text: prettyJson(writtenOf(theirs)) }}
                right={{ label: t('conflict.mine'), text: prettyJson(mine) }}
                unchangedLines={t('unchangedLines')}
              />
            </Suspense>
          </>
        )}
      </chakra.div>
    </Dialog>
  );
}
