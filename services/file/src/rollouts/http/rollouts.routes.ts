import { formatNullableDateTime, rolloutRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { StoredRollout } from '../data/rollout-repository.ts';
import { begunOf, dueAt, percentOf, stateOf } from '../domain/rollout.ts';
import { changeRollout, getRollout } from '../use-cases/change-rollout.ts';

/** The stages in which versions of files go out. */
export function rolloutsRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(rolloutRoutes.getRollout, async ({ params }) =>
      rolloutReply(await getRollout(deps, { partnerId: params.pid, fileId: params.id })),
    ),
    implement(rolloutRoutes.advanceRollout, async ({ params, body: { stage } }, { caller }) =>
      rolloutReply(await changeRollout(deps, caller, params.id, { action: 'advance', stage })),
    ),
    implement(rolloutRoutes.haltRollout, async ({ params }, { caller }) =>
      rolloutReply(await changeRollout(deps, caller, params.id, { action: 'halt' })),
    ),
    implement(rolloutRoutes.resumeRollout, async ({ params }, { caller }) =>
      rolloutReply(await changeRollout(deps, caller, params.id, { action: 'resume' })),
    ),
    implement(rolloutRoutes.cancelRollout, async ({ params }, { caller }) =>
      rolloutReply(await changeRollout(deps, caller, params.id, { action: 'cancel' })),
    ),
  ];
}

/** A rollout as people see it. */
export function rolloutReply(rollout: StoredRollout) {
  const { course, failures, halt, haltedAt, haltedBy, haltedByName, reports, version } = rollout;
  const begun = begunOf(rollout);
  const due = dueAt(rollout, course);
  return {
    version,
    state: stateOf(rollout),
    stage: begun,
    percent: percentOf(rollout),
    stages: rollout.stages.map(({ after, groupIds, percent, startedAt }, index) => ({
      stage: index + 1,
      percent,
      groupIds: groupIds && [...groupIds],
      after,
      startedAt: formatNullableDateTime(startedAt),
      dueAt: formatNullableDateTime(index === begun ? due : null),
    })),
    halt,
    reports,
    failures,
    startedAt: formatNullableDateTime(rollout.stages[0]?.startedAt ?? null),
    haltedAt: formatNullableDateTime(haltedAt),
    haltedBy: haltedBy === null ? null : { id: haltedBy, name: haltedByName ?? '' },
  };
}
