import { chakra, Stack } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useEffectText } from './effect.tsx';
import type { Previews } from './use-previews.ts';

interface EffectListProps extends Previews {
  files: readonly { readonly id: number; readonly name: string }[];
  /** They were others when they were looked at first. */
  hasChanged: boolean;
}

/** The effects of changes of several files, a line each. */
export function EffectList({ counted, error, files, hasChanged, retry, told }: EffectListProps) {
  const { t } = useTranslation(['effect', 'ui']);
  const { number } = useFormat();
  const textOf = useEffectText();
  const lineOf = (id: number): string | undefined => {
    const { effect, refusal } = told?.get(id) ?? {};
    if (refusal) return t('refused', { reason: refusal.fields[0]?.message ?? refusal.message });
    return effect && [textOf(effect), ...effect.collisions.map(({ message }) => message)].join(' ');
  };
  return (
    <Stack gap="3" mt="3">
      {hasChanged && <Notice tone="error">{t('changed')}</Notice>}
      {error && (
        <Notice tone="error">
          <p>{t('failed')}</p>
          <Button size="xs" variant="outline" mt="2" onClick={retry}>
            {t('ui:retry')}
          </Button>
        </Notice>
      )}
      <chakra.ul
        aria-label={t('title')}
        tabIndex={0}
        maxH="20rem"
        overflowY="auto"
        px="4"
        py="2"
        borderWidth="1px"
        borderRadius="md"
        color="fg"
        overflowWrap="anywhere"
      >
        {files.map(({ id, name }) => (
          <chakra.li key={id} py="1">
            {name}
            <chakra.span display="block" fontSize="xs" color="fg.muted" minH="1lh">
              {lineOf(id)}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
      {!told && !error && (
        <chakra.p role="status" fontVariantNumeric="tabular-nums">
          {t('countingOf', { done: number(counted), count: number(files.length) })}
        </chakra.p>
      )}
    </Stack>
  );
}
