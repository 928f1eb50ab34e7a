import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Rollout } from './rollout.ts';

export type RolloutAction = 'advance' | 'halt' | 'resume' | 'cancel';

export const tones = { advance: 'accent', halt: 'danger', resume: 'accent', cancel: 'danger' } as const;

/** What a dialog says of an action before it is made, and what is said when it is. */
export function useActionWords(name: string, rollout: Rollout) {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const next = rollout.stages[rollout.stage];
  return {
    dialog: (action: RolloutAction | undefined) => ({
      title: action ? t(`confirm.${action}.title`) : '',
      confirmLabel: action ? t(`actions.${action}`) : '',
      tone: action ? tones[action] : ('accent' as const),
    }),
    text: (action: RolloutAction) =>
      t(`confirm.${action}.text`, {
        name,
        version: rollout.version,
        stage: number(rollout.stage + 1),
        percent: percent((next?.percent ?? 100) / 100),
      }),
    done: (action: RolloutAction) => t(`done.${action}`),
  };
}
