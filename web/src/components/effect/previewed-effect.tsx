import { chakra, Stack } from '@chakra-ui/react';
import { limits } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Effect } from './effect.tsx';
import type { Preview } from './use-preview.ts';

interface PreviewedEffectProps {
  preview: Omit<Preview, 'isOutdatedBy'>;
  /** Where there is more than one change to confirm: of which it is. */
  title?: string;
}

/** The effect of a change before it is confirmed, or why it cannot be told. */
export function PreviewedEffect({ preview, title }: PreviewedEffectProps) {
  const { t } = useTranslation(['effect', 'ui']);
  const { number } = useFormat();
  const { attempt, effect, error, hasChanged, retry } = preview;
  return (
    <Stack gap="3" mt="4" minH="6rem">
      {hasChanged && <Notice tone="error">{t('changed')}</Notice>}
      {effect && <Effect effect={effect} title={title} />}
      {!effect && !error && (
        <chakra.p role="status" data-more-to-come="">
          {attempt === undefined
            ? t('counting')
            : t('uploading', { attempt: number(attempt), attempts: number(limits.assignmentAttempts) })}
        </chakra.p>
      )}
      {!effect && error && (
        <Notice tone="error">
          <p>{t('failed')}</p>
          <p>{error.fields[0]?.message ?? error.message}</p>
          <Button size="xs" variant="outline" mt="2" onClick={retry}>
            {t('ui:retry')}
          </Button>
        </Notice>
      )}
    </Stack>
  );
}
