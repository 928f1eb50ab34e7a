import { fileEvents, pushLimits } from '@portal/contracts';
import { type JobRun, ofPartner } from '@portal/service-kit';
import { findOffered } from '../../applications/data/reach.ts';
import { announceAgain, assignedGroups } from '../../assignments/data/assignment-repository.ts';
import { announceDelivery } from '../../delivery/use-cases/announce-delivery.ts';
import type { Dependencies } from '../../dependencies.ts';
import { type Change, tryUnnumberedChange } from '../../files/data/changes.ts';
import { type File, findFile } from '../../files/data/file-repository.ts';
import { isDelivered } from '../../updates/domain/schedule.ts';
import { findPlan } from '../data/rollout-repository.ts';
import {
  claimNext,
  claimThese,
  endTelling,
  findTelling,
  findTellings,
  saveTelling,
  type TellingKey,
  takeNewcomers,
  tellingsOf,
  tenantsOfNewcomers,
} from '../data/telling-repository.ts';
import { type Plan, reachesAll } from '../domain/plan.ts';

const files = 50;
/** People who are looked at in one transaction. */
const batch = 10_000;
/** So long somebody new waits: others learn of a device by the same event, and who comes at the same time is told together. */
const wait = 5_000;

/**
 * Tells people of files that go out in stages, as these reach them: each once. Who was told is written down in the transaction of
 * the event. Once a file reaches all whom it is delivered to, their groups are told as of any other.
 */
export async function tellPeople({ clock, store }: Dependencies, { scope, stopping }: JobRun): Promise<void> {
  for (const telling of await store.read(scope, async (db) => findTellings(db, files))) {
    await repeat(stopping, async () =>
      store.write(ofPartner(telling.partnerId), async (tx) => {
        const change = await tryUnnumberedChange(tx, telling.partnerId);
        return change !== undefined && tellNext(change, telling, clock.now());
      }),
    );
  }
  const before = new Date(clock.now().getTime() - wait);
  for (const partnerId of await store.read(scope, async (db) => tenantsOfNewcomers(db, before))) {
    await repeat(stopping, async () =>
      store.write(ofPartner(partnerId), async (tx) => {
        const change = await tryUnnumberedChange(tx, partnerId);
        return change !== undefined && tellNewcomers(change, before, clock.now());
      }),
    );
  }
}

async function repeat(stopping: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  let isMore = true;
  while (isMore && !stopping.aborted) isMore = await step();
}

/** Looks at the next people of a file. Answers whether there are more. */
async function tellNext(change: Change, { fileId }: TellingKey, now: Date): Promise<boolean> {
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
  const userIds = await takeNewcomers(change, before, batch);
  if (userIds.length === 0) return false;
  for (const telling of await tellingsOf(change)) {
    const reach = await reachOf(change, telling, now);
    if (reach) appendTold(change, reach.file, await claimThese(change, reach, userIds));
  }
  return userIds.length === batch;
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
