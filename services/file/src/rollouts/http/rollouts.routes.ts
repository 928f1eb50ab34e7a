import { formatNullableDateTime, rolloutRoutes } from '@portal/contracts';
import { type AdminCaller, Answer, type Implementation, implement, type Seals } from '@portal/service-kit';
import { operator } from '@portal/storage';
import {
  publisherOf,
  requireApplication,
  requirePublishing,
  uploaderOf,
} from '../../applications/use-cases/publisher.ts';
import { made, Waiting } from '../../changes/use-cases/conduct.ts';
import { createMake } from '../../changes/use-cases/make-change.ts';
import type { ChangeDependencies } from '../../changes/use-cases/run-change.ts';
import type { StoredRollout } from '../data/rollout-repository.ts';
import { begunOf, dueAt, percentOf, stateOf } from '../domain/rollout.ts';
import { changeRollout, getRollout, type RolloutAction } from '../use-cases/change-rollout.ts';

/** The stages in which versions of files and of applications go out. */
export function rolloutsRoutes(deps: ChangeDependencies & { readonly seals: Seals }): Implementation[] {
  const make = createMake(deps);
  return [
    implement(rolloutRoutes.getRollout, async ({ params }) =>
      rolloutReply(await getRollout(deps, { partnerId: params.pid }, params.id)),
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
    ...ofApplications(deps),
  ];
}

type Scope = Parameters<typeof publisherOf>[1];

/** The stages of applications: their publisher's, over all tenants. */
function ofApplications(deps: ChangeDependencies): Implementation[] {
  const act = async (caller: AdminCaller, scope: Scope, id: number, what: RolloutAction) => {
    const publisher = publisherOf(caller, scope);
    const { saleType } = await requireApplication(deps, publisher, id);
    // What does harm is stopped by whoever publishes it.
    const reachesMore = what.action === 'advance' || what.action === 'resume';
    if (reachesMore) await requirePublishing(deps, publisher, saleType ?? 0);
    return rolloutReply(made(await changeRollout(deps, uploaderOf(caller, scope), id, what)));
  };
  return [
    implement(rolloutRoutes.getApplicationRollout, async ({ params }, { scope }) =>
      rolloutReply(await getRollout(deps, { partnerId: operator, scope }, params.id)),
    ),
    implement(rolloutRoutes.advanceApplicationRollout, async ({ params, body }, { caller, scope }) =>
      act(caller, scope, params.id, { action: 'advance', stage: body.stage }),
    ),
    implement(rolloutRoutes.haltApplicationRollout, async ({ params }, { caller, scope }) =>
      act(caller, scope, params.id, { action: 'halt' }),
    ),
    implement(rolloutRoutes.resumeApplicationRollout, async ({ params }, { caller, scope }) =>
      act(caller, scope, params.id, { action: 'resume' }),
    ),
    implement(rolloutRoutes.cancelApplicationRollout, async ({ params }, { caller, scope }) =>
      act(caller, scope, params.id, { action: 'cancel' }),
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
