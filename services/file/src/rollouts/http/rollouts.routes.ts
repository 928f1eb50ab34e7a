import { formatNullableDateTime, rolloutRoutes } from '@portal/contracts';
import { Answer, type Implementation, implement, type Seals } from '@portal/service-kit';
import { Waiting } from '../../changes/use-cases/conduct.ts';
import { createMake } from '../../changes/use-cases/make-change.ts';
import type { ChangeDependencies } from '../../changes/use-cases/run-change.ts';
import type { StoredRollout } from '../data/rollout-repository.ts';
import { begunOf, dueAt, percentOf, stateOf } from '../domain/rollout.ts';
import { getRollout } from '../use-cases/change-rollout.ts';

/** The stages in which versions of files go out. */
export function rolloutsRoutes(deps: ChangeDependencies & { readonly seals: Seals }): Implementation[] {
  const make = createMake(deps);
  return [
    implement(rolloutRoutes.getRollout, async ({ params }) =>
      rolloutReply(await getRollout(deps, { partnerId: params.pid, fileId: params.id })),
    ),
    implement(rolloutRoutes.advanceRollout, async ({ params, body, query }, { caller }) =>
      replyOf(await make('rollout', caller, params.id, { ...query, ...body, action: 'advance' })),
    ),
    implement(rolloutRoutes.haltRollout, async ({ params, query }, { caller }) =>
      replyOf(await make('rollout', caller, params.id, { ...query, action: 'halt' })),
    ),
    implement(rolloutRoutes.resumeRollout, async ({ params, query }, { caller }) =>
      replyOf(await make('rollout', caller, params.id, { ...query, action: 'resume' })),
    ),
    implement(rolloutRoutes.cancelRollout, async ({ params, query }, { caller }) =>
      replyOf(await make('rollout', caller, params.id, { ...query, action: 'cancel' })),
    ),
  ];
}

const replyOf = (made: StoredRollout | Waiting) =>
  made instanceof Waiting ? new Answer(202, made.reply) : rolloutReply(made);

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
