import type { deliveryRoutes, Language, PageReply } from '@portal/contracts';
import { pageReply } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import type { z } from 'zod';
import type { Dependencies } from '../../dependencies.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import type { StagedList } from '../../rollouts/data/staged-devices.ts';
import type { DeviceList, DeviceRow } from '../data/device-rows.ts';
import { type FileOf, findDelivered } from './find-delivered.ts';

/**
 * The devices that are to have a file now, and what has become of it there.
 * @throws AppError `E40405`
 */
export async function listDeliveryDevices(
  {
    clock,
    deviceList,
    stagedList,
    store,
  }: Pick<Dependencies, 'clock' | 'store'> & {
    readonly deviceList: DeviceList;
    readonly stagedList: StagedList;
  },
  file: FileOf,
  query: z.output<(typeof deliveryRoutes.listDeliveryDevices)['query']>,
  language: Language,
): Promise<PageReply & { devices: DeviceRow[] }> {
  return store.read(ofPartner(file.partnerId), async (db) => {
    const now = clock.now();
    const { groups, isStaged, version: current } = await findDelivered(db, file, { now, language });
    const nothing = { devices: [], ...pageReply(0, query) };
    if (current === null) return nothing;
    const version = query.version ?? current;
    const groupIds = groups.map(({ id }) => id);
    const plan = isStaged ? await findPlan(db, file, now) : undefined;
    if (plan) return stagedList.page(db, { partnerId: file.partnerId, plan, groupIds }, query);
    const isCurrent = version === current;
    if (query.targeted && !isCurrent) return nothing;
    const delivered = { ...file, version, isCurrent, groupIds, group: query.group };
    return deviceList.page(db, delivered, query);
  });
}
