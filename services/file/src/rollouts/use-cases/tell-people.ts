import { fileEvents, pushLimits } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import { findOffered } from '../../applications/data/reach.ts';
import { announceAgain, assignedGroups } from '../../assignments/data/assignment-repository.ts';
import { announceDelivery } from '../../delivery/use-cases/announce-delivery.ts';
import type { Dependencies } from '../../dependencies.ts';
import { type Change, tryUnnumberedChange } from '../../files/data/changes.ts';
import { type File, findFile } from '../../files/data/file-repository.ts';
import { workOff } from '../../files/use-cases/work-off.ts';
import { isDelivered } from '../../updates/domain/schedule.ts';
import { findPlan } from '../data/rollout-repository.ts';
import {
  claimNext,
  claimThese,
  endTelling,
  findTelling,
  findTellings,
  saveTelling,
  takeNewcomers,
  tellingsOf,
  tenantsOfNewcomers,
} from '../data/telling-repository.ts';
import { type Plan, reachesAll } from '../domain/plan.ts';

/** Of each tenant, before the next has its turn: each may have people for a whole transaction. */
const files = 10;
/** People who are looked at in one transaction. */
const batch = 10_000;
/** So many who are new are looked at together, of however many files. */
const fewest = 100;
/** So long somebody new waits: others learn of a device by the same event, and who comes at the same time is told together. */
const wait = 5_000;

/**
 * Tells people of files that go out in stages, as these reach them: each once. Who was told is written down in the transaction of
 * the event. Once a file reaches all whom it is delivered to, their groups are told as of any other.
 */
export async function tellPeople(deps: Pick<Dependencies, 'clock' | 'store'>, run: JobRun): Promise<void> {
  const { clock } = deps;
  await workOff(deps, run, {
    find: async (db, shares) => findTellings(db, { ...shares, share: files }),
    begin: tryUnnumberedChange,
    work: async (change, fileId) => tellNext(change, fileId, clock.now()),
  });
  const before = new Date(clock.now().getTime() - wait);
  await workOff(deps, run, {
    // One of each tenant.
    find: async (db, shares) =>
      (await tenantsOfNewcomers(db, before, shares)).map((partnerId) => ({ id: partnerId, partnerId })),
    begin: tryUnnumberedChange,
    work: async (change) => tellNewcomers(change, before, clock.now()),
  });
}

/** Looks at the next people of a file. Answers whether there are more. */
async function tellNext(change: Change, fileId: number, now: Date): Promise<boolean> {
  const telling = await findTelling(change, fileId);
  if (!telling) {
    // An offer that this tenant has no more is out of its sight.
    await endTelling(change, fileId);
    return false;
  }
  const reach = await reachOf(change, { ...telling, fileId }, now);
  if (!reach || telling.passed === null) {
    await saveTelling(change, fileId, { ...telling, passed: null });
    return false;
  }
  const { passed, userIds } = await claimNext(change, reach, { passed: telling.passed, most: batch });
  appendTold(change, reach.file, userIds);
  await saveTelling(change, fileId, { ...telling, passed });
  return passed !== null;
}

/** Looks at the next of those who are new in a tenant. Answers whether there may be more. */
async function tellNewcomers(change: Change, before: Date, now: Date): Promise<boolean> {
  const tellings = await tellingsOf(change);
  // Each is looked at for each file.
  const most = Math.max(fewest, Math.floor(batch / Math.max(1, tellings.length)));
  const userIds = await takeNewcomers(change, before, most);
  if (userIds.length === 0) return false;
  for (const telling of tellings) {
    const reach = await reachOf(change, telling, now);
    if (reach) appendTold(change, reach.file, await claimThese(change, reach, userIds));
  }
  return userIds.length === most;
}

/**
 * Whom a file reaches that goes out in stages. Undefined where nobody is to be told now: it is not delivered at this moment, nobody
 * asks for it any more, or it reaches all, who are told then.
 */
async function reachOf(
  change: Change,
  { fileId, notifyEmail, notifyPush }: Awaited<ReturnType<typeof tellingsOf>>[number],
  now: Date,
): Promise<{ readonly file: File; readonly plan: Plan; readonly groupIds: readonly number[] } | undefined> {
  const { db, partnerId } = change;
  const offer = await findOffered(db, partnerId, fileId);
  const file = offer ? { ...offer, notifyEmail, notifyPush } : await findFile(db, partnerId, fileId);
  if (!file || (!file.notifyEmail && !file.notifyPush)) {
    await endTelling(change, fileId);
    return undefined;
  }
  if (!isDelivered(file, now)) return undefined;
  const plan = await findPlan(db, { fileId, partnerId }, now);
  if (!plan || reachesAll(plan)) {
    await endTelling(change, fileId);
    await announceAgain(change, fileId);
    await announceDelivery(change, file, now);
    return undefined;
  }
  return { file, plan, groupIds: await assignedGroups(change, fileId) };
}

function appendTold({ outbox, partnerId }: Change, file: File, userIds: readonly number[]): void {
  const { id: fileId, name, notifyEmail, notifyPush } = file;
  for (let start = 0; start < userIds.length; start += pushLimits.maxUsers) {
    outbox.append(fileEvents.fileDelivered, {
      subject: fileId,
      partnerId,
      data: {
        fileId,
        name,
        groupIds: [],
        userIds: userIds.slice(start, start + pushLimits.maxUsers),
        notifyEmail,
        notifyPush,
      },
    });
  }
}
