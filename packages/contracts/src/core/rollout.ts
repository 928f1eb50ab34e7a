import { z } from 'zod';
import { bodyId, dateTimeText } from './fields.ts';
import { limits } from './limits.ts';

/** In milliseconds, of the parts of a duration in their order. */
const units = [7 * 24 * 3_600_000, 24 * 3_600_000, 3_600_000, 60_000, 1_000];
const durationForm =
  /^P(?=\d|T\d)(?:(\d{1,8})W)?(?:(\d{1,8})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?$/;

/** The milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds; undefined of what is none. */
export function millisecondsOf(duration: string): number | undefined {
  const parts = durationForm.exec(duration)?.slice(1);
  return parts?.reduce((sum, part, index) => sum + Number(part ?? 0) * (units[index] ?? 0), 0);
}

/** How long a stage waits after the one before has begun. */
const after = z
  .string()
  .max(64)
  .regex(durationForm, { error: 'duration' })
  .refine(
    (value) => {
      const milliseconds = millisecondsOf(value);
      return milliseconds === undefined || (milliseconds > 0 && milliseconds <= limits.maxStageWait);
    },
    { error: 'duration' },
  )
  .meta({
    description:
      'An ISO 8601 duration in weeks, days, hours, minutes and seconds, from when the stage before began; at most 90 days. ' +
      'Absent: by hand',
    example: 'P1DT12H',
  });

const percent = z.number().int().min(1).max(100);

const stage = z.object({
  percent,
  groupIds: z
    .array(bodyId)
    .min(1)
    .max(limits.maxGroupsPerRequest)
    .nullable()
    .optional()
    .meta({ description: 'A pilot: that percentage of the devices of these groups alone' }),
  after: after.nullable().optional(),
});

const halt = z
  .object({
    failurePercent: percent,
    minReports: z.number().int().min(1).max(limits.maxStageReports),
  })
  .meta({
    description:
      'It halts as soon as so many devices reported on this version, and so many percent of them failed',
  });

const planFields = z.object({
  stages: z.array(stage).min(1).max(limits.maxStages),
  halt: halt.nullable().optional(),
});
type PlanInput = Pick<z.core.ParsePayload<z.output<typeof planFields>>, 'issues' | 'value'>;

const refuse = (input: PlanInput, message: string, ...path: (string | number)[]) =>
  input.issues.push({ code: 'custom', message, path, input: input.value });

/** What is wrong with the stages together. */
function checkStages(input: PlanInput): void {
  const { issues, value } = input;
  // What is wrong by itself comes first.
  if (issues.length > 0) return;
  const [first] = value.stages;
  if (typeof first?.after === 'string') refuse(input, 'firstStageWaits', 'stages', 0, 'after');
  const open = value.stages.filter(({ groupIds }) => !groupIds);
  if (open.some((one, index) => index > 0 && one.percent <= (open[index - 1]?.percent ?? 0))) {
    refuse(input, 'stagesRise', 'stages');
  }
  const last = value.stages.at(-1);
  if (last?.groupIds || last?.percent !== 100) refuse(input, 'lastStageOfAll', 'stages');
}

/** An application goes to tenants, whose groups are not its publisher's to name. */
function checkNoPilots(input: PlanInput): void {
  for (const [index, { groupIds }] of input.value.stages.entries()) {
    if (groupIds) refuse(input, 'noPilotGroups', 'stages', index, 'groupIds');
  }
}

/** How a version reaches its devices in stages. */
export const rolloutPlan = planFields.check(checkStages);
export type RolloutPlan = z.output<typeof rolloutPlan>;

/** What a change says of stages: absent, those that there are go on; null ends them. */
export const rolloutChange = rolloutPlan.nullable().optional();

/** The same of an application: without pilot groups. */
export const applicationRolloutChange = planFields.check(checkNoPilots, checkStages).nullable().optional();

export const rolloutStates = ['waiting', 'running', 'halted', 'cancelled', 'done'] as const;
export type RolloutState = (typeof rolloutStates)[number];

/** The stages of a version, and how far they are. */
export const rolloutReply = z.object({
  version: z.number().int(),
  state: z.enum(rolloutStates).meta({
    description:
      'waiting: its version is not live, or nobody is to have it yet; running; halted: those that have not installed it get the ' +
      'version before; cancelled: halted for good; done: the last stage has begun',
  }),
  stage: z
    .number()
    .int()
    .meta({ description: 'The number of the last that has begun, from 1; 0 while waiting' }),
  percent: z.number().int().meta({ description: 'Of the devices that are no pilots, how many are in' }),
  stages: z.array(
    z.object({
      stage: z.number().int(),
      percent: z.number().int(),
      groupIds: z.array(z.number().int()).nullable(),
      after: z.string().nullable(),
      startedAt: dateTimeText.nullable(),
      dueAt: dateTimeText.nullable().meta({
        description: 'Of the next stage alone, where it begins by time; null while it does not go on',
      }),
    }),
  ),
  halt: halt.nullable(),
  reports: z.number().int().meta({
    description: 'Devices that installed it or failed since it began or was resumed',
  }),
  failures: z.number().int(),
  startedAt: dateTimeText.nullable(),
  haltedAt: dateTimeText.nullable(),
  haltedBy: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .meta({ description: 'Null: the limit halted it' }),
});
