import { millisecondsOf, type RolloutPlan, type RolloutState } from '@portal/contracts';
import { everyone } from '../../assignments/domain/everyone.ts';

/** A part of the devices that get a version. */
export interface Stage {
  readonly percent: number;
  /** A pilot: of the devices of these groups alone. Null: of all that have the file. */
  readonly groupIds: readonly number[] | null;
  /** An ISO duration; null: it begins by hand. Nothing of the first. */
  readonly after: string | null;
  readonly startedAt: Date | null;
}

/** How a version goes out in stages, as it is written down. */
export interface Rollout {
  readonly stages: readonly Stage[];
  readonly halt: { readonly failurePercent: number; readonly minReports: number } | null;
  /** Groups whose people had the version before it began, and keep it. */
  readonly keeps: readonly number[];
  readonly state: 'open' | 'halted' | 'cancelled';
  /** From when on the next stage waits. */
  readonly waitsFrom: Date | null;
}

/** What the stages of a version depend on. */
export interface Course {
  /** When the rollout was made. */
  readonly createdAt: Date;
  /** When its version goes live, or went; null where that is not known yet. */
  readonly liveFrom: Date | null;
  /** When the next version takes its place; null while none does. */
  readonly liveUntil: Date | null;
  readonly deliverAt: Date | null;
  /** Since when the file has groups; null while it has none. */
  readonly assignedAt: Date | null;
}

export const begunOf = ({ stages }: Pick<Rollout, 'stages'>): number =>
  stages.filter(({ startedAt }) => startedAt !== null).length;

/** When the next stage begins by itself as things stand; null where it does not. */
export function dueAt(rollout: Rollout, course: Course): Date | null {
  if (rollout.state !== 'open') return null;
  const begun = begunOf(rollout);
  const next = rollout.stages[begun];
  if (!next) return null;
  const at = begun === 0 ? beginsAt(course) : afterWait(next, rollout.waitsFrom);
  const { liveUntil } = course;
  // A newer version leaves the stages as they stand.
  return at !== null && liveUntil !== null && at >= liveUntil ? null : at;
}

function beginsAt({ assignedAt, createdAt, deliverAt, liveFrom }: Course): Date | null {
  if (liveFrom === null || assignedAt === null) return null;
  return new Date(Math.max(...[createdAt, liveFrom, assignedAt, deliverAt ?? createdAt].map(Number)));
}

function afterWait({ after }: Stage, from: Date | null): Date | null {
  if (after === null || from === null) return null;
  return new Date(from.getTime() + (millisecondsOf(after) ?? 0));
}

/** The rollout at `now`: every stage whose time has come has begun, whether that is written down or not. */
export function rolloutAt<R extends Rollout>(rollout: R, course: Course, now: Date): R {
  let at = rollout;
  for (let due = dueAt(at, course); due !== null && due <= now; due = dueAt(at, course)) {
    at = withNextStage(at, due);
  }
  return at;
}

/** Begins the next stage. */
export function withNextStage<R extends Rollout>(rollout: R, startedAt: Date): R {
  const begun = begunOf(rollout);
  return {
    ...rollout,
    waitsFrom: startedAt,
    stages: rollout.stages.map((stage, index) => (index === begun ? { ...stage, startedAt } : stage)),
  };
}

export function stateOf(rollout: Pick<Rollout, 'stages' | 'state'>): RolloutState {
  if (rollout.state !== 'open') return rollout.state;
  const begun = begunOf(rollout);
  if (begun === 0) return 'waiting';
  return begun === rollout.stages.length ? 'done' : 'running';
}

/** How many percent of those who are no pilots are in. */
export const percentOf = (rollout: Pick<Rollout, 'stages'>): number => percentFor(rollout, []);

/** How many percent of the devices of somebody in these groups are in. */
export function percentFor({ stages }: Pick<Rollout, 'stages'>, groupIds: readonly number[]): number {
  return stages
    .filter((stage) => stage.startedAt !== null && (!stage.groupIds || isAnyOf(groupIds, stage.groupIds)))
    .reduce((most, { percent }) => Math.max(most, percent), 0);
}

/** Whether somebody in `groupIds` is in one of `some`; everyone is in the group of everyone. */
export const isAnyOf = (groupIds: readonly number[], some: readonly number[]): boolean =>
  some.includes(everyone) || groupIds.some((id) => some.includes(id));

/** Whether nobody whom the file reaches is held back. */
export const isForAll = (rollout: Rollout): boolean =>
  rollout.keeps.includes(everyone) || (rollout.state === 'open' && percentOf(rollout) === 100);

/** Whether so many reports and failures halt it. */
export function isOverLimit(
  { halt }: Pick<Rollout, 'halt'>,
  { failures, reports }: { readonly reports: number; readonly failures: number },
): boolean {
  return halt !== null && reports >= halt.minReports && failures * 100 >= halt.failurePercent * reports;
}

/** The stages of a plan before any of them has begun. */
export function stagesOf({ stages }: RolloutPlan): Stage[] {
  return stages.map(({ after, groupIds, percent }) => ({
    percent,
    groupIds: groupIds ? [...new Set(groupIds)].sort((a, b) => a - b) : null,
    after: after ?? null,
    startedAt: null,
  }));
}
