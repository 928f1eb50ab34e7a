import type { RolloutPlan } from '@portal/contracts';
import { holdGroups } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner, type Peers } from '@portal/service-kit';
import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileStore } from '../../data/db.ts';

/** Whether the tenant has the groups of a plan. */
export type RequirePilots = (
  file: { readonly partnerId: number; readonly fileId: number },
  plan: RolloutPlan | null | undefined,
) => Promise<void>;

/**
 * Answers a function that throws `E40404` on the stage where the tenant lacks a group of a plan. The user service, which has the groups, is asked
 * only about those that no event has told of yet.
 */
export function createRequirePilots({
  peers,
  store,
}: {
  readonly peers: Peers;
  readonly store: FileStore;
}): RequirePilots {
  return async ({ fileId, partnerId }, plan) => {
    const stages = plan?.stages.map(({ groupIds }) => (groupIds ?? []).filter((id) => id !== everyone)) ?? [];
    const pilots = stages.flat();
    if (pilots.length === 0) return;
    const found = await store.read(ofPartner(partnerId), async (db) =>
      db.group.findMany({ where: { partnerId, groupId: { in: pilots } }, select: { groupId: true } }),
    );
    const known = new Set(found.map(({ groupId }) => groupId));
    for (const [index, ids] of stages.entries()) {
      const groupIds = ids.filter((id) => !known.has(id));
      if (groupIds.length === 0) continue;
      try {
        await peers.call(holdGroups, { body: { partnerId, fileId, groupIds } });
      } catch (error) {
        const isUnknown = error instanceof AppError && error.code === 'E40404';
        // Its field is that of another call.
        throw isUnknown ? fieldError('E40404', `rollout.stages.${index}.groupIds`, 'notFound') : error;
      }
    }
  };
}
