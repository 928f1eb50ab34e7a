import type { RolloutPlan } from '@portal/contracts';
import { holdGroups } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner, type Peers } from '@portal/service-kit';
import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileStore } from '../../data/db.ts';

/** Whether the tenant has the groups of a plan. */
export type RequirePilots = (
  file: { readonly partnerId: number; readonly fileId: number },
  plan: RolloutPlan | null | undefined,
) => Promise<void>;

/**
 * Answers a function that throws `E40404` where the tenant lacks a group of a plan. The user service, which has the groups, is asked
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
    const pilots = new Set(plan?.stages.flatMap(({ groupIds }) => groupIds ?? []));
    pilots.delete(everyone);
    if (pilots.size === 0) return;
    const known = await store.read(ofPartner(partnerId), async (db) =>
      db.group.findMany({ where: { partnerId, groupId: { in: [...pilots] } }, select: { groupId: true } }),
    );
    const groupIds = [...pilots].filter((id) => !known.some(({ groupId }) => groupId === id));
    if (groupIds.length === 0) return;
    try {
      await peers.call(holdGroups, { body: { partnerId, fileId, groupIds } });
    } catch (error) {
      // Its field is that of another call.
      throw error instanceof AppError && error.code === 'E40404' ? new AppError('E40404') : error;
    }
  };
}
