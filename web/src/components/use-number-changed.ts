import type { ApiError } from '@portal/api-client';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';

/**
 * Handles the refusal of a change whose filter shows another number by now than the person saw: says so, and offers to ask for `stale`
 * again, before `onLook`. @returns whether it was this refusal
 */
export function useNumberChanged(stale: readonly string[], onLook: () => void): (error: ApiError) => boolean {
  const { t } = useTranslation('ui');
  const { toast } = useAnnouncer();
  const queries = useQueryClient();
  return ({ code, fields }) => {
    if (code !== 'E40034' || !fields.some(({ field }) => field === 'expectedCount')) return false;
    const close = toast({
      tone: 'warning',
      message: t('numberChanged'),
      action: {
        label: t('lookAgain'),
        onPress() {
          close();
          onLook();
          for (const id of stale) void queries.invalidateQueries({ queryKey: [id] });
        },
      },
    });
    return true;
  };
}
