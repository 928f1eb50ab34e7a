import { millisecondsOf, type RolloutPlan, rolloutPlan } from '@portal/contracts';
import { z } from 'zod';

/** When a stage begins: with the delivery or by hand, or so long after the one before. */
export const waits = ['hand', 'minutes', 'hours', 'days'] as const;
export type Wait = (typeof waits)[number];

/** A stage as a form has it: numbers as they are typed. */
export interface StageValues {
  percent: string;
  /** Of a pilot alone. */
  groupIds: number[] | null;
  wait: Wait;
  amount: string;
}

/** What is said of stages in a form. `keep` leaves those that there are as they stand. */
export const ways = ['keep', 'atOnce', 'stages'] as const;
export type Way = (typeof ways)[number];

export interface PlanValues {
  way: Way;
  stages: StageValues[];
  halts: boolean;
  failurePercent: string;
  minReports: string;
}

const stage = (percent: number, wait: Wait, amount = '1'): StageValues => ({
  percent: String(percent),
  groupIds: null,
  wait,
  amount,
});

/** What most begin with. The first stage of `pilot` is of groups that are still to be chosen. */
export const presets = {
  careful: [stage(1, 'hand'), stage(10, 'days'), stage(50, 'days'), stage(100, 'days')],
  quick: [stage(10, 'hand'), stage(100, 'hours', '4')],
  pilot: [{ ...stage(100, 'hand'), groupIds: [] }, stage(20, 'days'), stage(100, 'days')],
  byHand: [stage(5, 'hand'), stage(25, 'hand'), stage(100, 'hand')],
} as const satisfies Readonly<Record<string, readonly StageValues[]>>;
export type Preset = keyof typeof presets;
export const presetNames = ['careful', 'quick', 'pilot', 'byHand'] as const satisfies readonly Preset[];

export const initialPlan = (way: Way): PlanValues => ({
  way,
  stages: presets.careful.map((one) => ({ ...one })),
  halts: true,
  failurePercent: '5',
  minReports: '20',
});

/** What is no number is one that no plan takes. */
const whole = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const durations: Readonly<Record<Exclude<Wait, 'hand'>, (amount: number) => string>> = {
  minutes: (amount) => `PT${amount}M`,
  hours: (amount) => `PT${amount}H`,
  days: (amount) => `P${amount}D`,
};

/** What the server is asked for; it may be wrong. */
export function planOf({ failurePercent, halts, minReports, stages }: PlanValues): RolloutPlan {
  return {
    stages: stages.map(({ amount, groupIds, percent, wait }, index) => ({
      percent: whole(percent),
      ...(groupIds && { groupIds }),
      ...(index > 0 && wait !== 'hand' && { after: durations[wait](whole(amount)) }),
    })),
    ...(halts && { halt: { failurePercent: whole(failurePercent), minReports: whole(minReports) } }),
  };
}

/** The part of a body that says it. Where there are no stages to end, `atOnce` says nothing. */
export function rolloutBody(values: PlanValues, hasStages = false): { rollout?: RolloutPlan | null } {
  if (values.way === 'stages') return { rollout: planOf(values) };
  return values.way === 'atOnce' && hasStages ? { rollout: null } : {};
}

/** What is wrong with a plan, by the part of the form that it is about. */
export interface PlanFaults {
  /** By the index of the stage. */
  readonly percent: ReadonlySet<number>;
  readonly groups: ReadonlySet<number>;
  readonly wait: ReadonlySet<number>;
  /** Of the stages together. */
  readonly order: readonly ('stagesRise' | 'lastStageOfAll')[];
  readonly failurePercent: boolean;
  readonly minReports: boolean;
}

export function faultsOf(values: PlanValues): PlanFaults | undefined {
  if (values.way !== 'stages') return undefined;
  const checked = rolloutPlan.safeParse(planOf(values));
  if (checked.success) return undefined;
  const { issues } = checked.error;
  const stagesWith = (field: string) =>
    new Set(issues.filter(({ path }) => path[2] === field).map(({ path }) => Number(path[1])));
  const isWrong = (field: string) => issues.some(({ path }) => path[0] === 'halt' && path[1] === field);
  return {
    percent: stagesWith('percent'),
    groups: stagesWith('groupIds'),
    wait: stagesWith('after'),
    order: (['stagesRise', 'lastStageOfAll'] as const).filter((rule) =>
      issues.some(({ message }) => message === rule),
    ),
    failurePercent: isWrong('failurePercent'),
    minReports: isWrong('minReports'),
  };
}

/** The field of a form: what is wrong stands at the parts of the plan. */
export const planField = z
  .custom<PlanValues>()
  .refine((values) => faultsOf(values) === undefined, { error: 'invalidValue' });

/** The largest unit in which a duration of the wire is a whole number. */
export function waitOf(after: string): { readonly wait: Exclude<Wait, 'hand'>; readonly amount: number } {
  const minutes = Math.max(1, Math.round((millisecondsOf(after) ?? 0) / 60_000));
  if (minutes % (24 * 60) === 0) return { wait: 'days', amount: minutes / (24 * 60) };
  return minutes % 60 === 0 ? { wait: 'hours', amount: minutes / 60 } : { wait: 'minutes', amount: minutes };
}
