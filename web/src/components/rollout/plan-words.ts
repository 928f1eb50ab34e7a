import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { type PlanValues, planOf, waitOf } from './plan-values.ts';

/** How long a stage waits, in words: a duration of the wire, or null where somebody begins it. */
export function useWaitWords(): (after: string | null) => string {
  const { t } = useTranslation('rollout');
  return (after) => {
    if (after === null) return t('byHand');
    const { amount, wait } = waitOf(after);
    return t(`after.${wait}`, { count: amount });
  };
}

/** Stages as a form or an answer has them. */
interface Stages {
  readonly stages: readonly {
    readonly percent: number;
    readonly groupIds?: readonly number[] | null | undefined;
    readonly after?: string | null | undefined;
  }[];
  readonly halt?: { readonly failurePercent: number; readonly minReports: number } | null | undefined;
}

/**
 * Stages in a line, and their limit in another: `1 % → 10 % (1 day later) → 100 % (by hand)`. Pilots are told with the names of
 * their groups where these are known.
 */
export function useStageWords(namesOf?: (groupIds: readonly number[]) => string): (stages: Stages) => string {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const waitWords = useWaitWords();
  return ({ halt, stages }) => {
    const line = stages
      .map((stage, index) => {
        const pilots = stage.groupIds && namesOf?.(stage.groupIds);
        const said = { share: percent(stage.percent / 100) };
        const share = pilots
          ? t('pilotShareOf', { ...said, groups: pilots })
          : t(stage.groupIds ? 'pilotShare' : 'share', said);
        return index === 0 ? share : t('stageWithWait', { share, wait: waitWords(stage.after ?? null) });
      })
      .join(' → ');
    if (!halt) return line;
    const limit = t('limit', {
      percent: percent(halt.failurePercent / 100),
      reports: number(halt.minReports),
    });
    return `${line}\n${limit}`;
  };
}

/** What was chosen, as a confirmation shows it. */
export function usePlanWords(): (values: PlanValues) => string {
  const { t } = useTranslation('rollout');
  const stageWords = useStageWords();
  return (values) => (values.way === 'stages' ? stageWords(planOf(values)) : t(`ways.${values.way}`));
}
