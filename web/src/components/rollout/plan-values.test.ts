import { rolloutPlan } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { faultsOf, initialPlan, planOf, presetNames, presets, rolloutBody, waitOf } from './plan-values.ts';

const plan = initialPlan('stages');

describe('A plan of stages', () => {
  it('begins as most want it', () => {
    expect(planOf(plan)).toEqual({
      stages: [
        { percent: 1 },
        { percent: 10, after: 'P1D' },
        { percent: 50, after: 'P1D' },
        { percent: 100, after: 'P1D' },
      ],
      halt: { failurePercent: 5, minReports: 20 },
    });
    expect(faultsOf(plan)).toBeUndefined();
  });

  it.each(presetNames)('can be begun with %s, which a server takes once its groups are chosen', (name) => {
    const stages = presets[name].map((stage) => ({ ...stage, groupIds: stage.groupIds && [3] }));
    expect(rolloutPlan.safeParse(planOf({ ...plan, stages })).success).toBe(true);
  });

  it('says of each part what is wrong', () => {
    const [first, second, third, last] = plan.stages;
    if (!first || !second || !third || !last) throw new Error('Four stages');
    const wrong = {
      ...plan,
      stages: [
        { ...first, percent: '' },
        { ...second, percent: '60', amount: '91' },
        { ...third, groupIds: [] },
        { ...last, percent: '40' },
      ],
      minReports: '0',
    };
    expect(faultsOf(wrong)).toMatchObject({
      percent: new Set([0]),
      groups: new Set([2]),
      wait: new Set([1]),
      failurePercent: false,
      minReports: true,
    });
    expect(faultsOf({ ...plan, stages: [first, { ...second, percent: '1' }, last] })?.order).toEqual([
      'stagesRise',
    ]);
    expect(faultsOf({ ...plan, stages: [first, second] })?.order).toEqual(['lastStageOfAll']);
  });

  it('is asked for, kept or ended as the form says', () => {
    expect(rolloutBody(initialPlan('keep'), true)).toEqual({});
    expect(rolloutBody(initialPlan('atOnce'))).toEqual({});
    expect(rolloutBody(initialPlan('atOnce'), true)).toEqual({ rollout: null });
    expect(rolloutBody({ ...plan, halts: false })).toEqual({
      rollout: { stages: planOf(plan).stages },
    });
  });
});

describe('A wait', () => {
  it.each([
    ['P1D', { wait: 'days', amount: 1 }],
    ['P1W', { wait: 'days', amount: 7 }],
    ['P1DT12H', { wait: 'hours', amount: 36 }],
    ['PT90M', { wait: 'minutes', amount: 90 }],
    ['PT1S', { wait: 'minutes', amount: 1 }],
  ] as const)('of %s is told in the largest whole unit', (after, told) => {
    expect(waitOf(after)).toEqual(told);
  });
});
