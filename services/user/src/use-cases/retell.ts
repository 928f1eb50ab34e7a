import { pushServices, userEvents } from '@portal/contracts';
import type { JobRun, Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { groupIdsByAccount } from '../data/membership-repository.ts';
import { takeKeptTokens } from '../data/push-repository.ts';
import {
  devicesAfter,
  endRetelling,
  groupsAfter,
  lockRetelling,
  noteTold,
  peopleAfter,
  type RetoldThing,
} from '../data/retelling-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupStateOf } from '../domain/group.ts';
import { personOf } from '../domain/person.ts';
import { tellDevice } from './tell-device.ts';
import { tellOnceMore } from './tell-people.ts';
import { publishPushToken } from './tell-push.ts';

const mostAtOnce = 500;

/** Tells of some things after `id`. Answers the last of them; undefined where there are no more. */
type TellSome = (
  tx: Transaction<UserDb>,
  id: number,
  deps: Pick<Dependencies, 'seals'>,
) => Promise<number | undefined>;

const tellGroups: TellSome = async ({ db, outbox }, id) => {
  const groups = await groupsAfter(db, id, mostAtOnce);
  for (const group of groups) {
    const { id: groupId, partnerId } = group;
    outbox.append(userEvents.groupUpdated, { subject: groupId, partnerId, data: groupStateOf(group) });
  }
  return groups.at(-1)?.id;
};

const tellPeople: TellSome = async ({ db, outbox }, id) => {
  const people = await peopleAfter(db, id, mostAtOnce);
  for (const [partnerId, ofTenant] of Map.groupBy(people, (person) => person.partnerId)) {
    const ids = ofTenant.map((person) => person.id);
    const groupIds = await groupIdsByAccount(db, partnerId, ids);
    tellOnceMore(
      outbox,
      partnerId,
      ofTenant.map((person) => personOf(person, groupIds.get(person.id) ?? [])),
    );
  }
  return people.at(-1)?.id;
};

/** What was told is kept here no more, so that the next are the first. */
const tellPushTokens: TellSome = async ({ db, outbox }, id, { seals }) => {
  const devices = await takeKeptTokens(db, mostAtOnce);
  for (const { service: name, token, ...device } of devices ?? []) {
    const service = pushServices.find((known) => known === name);
    if (service) publishPushToken(outbox, seals, device, { service, token });
  }
  return devices === null ? undefined : id;
};

const tellDevices: TellSome = async ({ db, outbox }, id) => {
  const devices = await devicesAfter(db, id, mostAtOnce);
  for (const device of devices) tellDevice(outbox, device);
  return devices.at(-1)?.registration;
};

const things: readonly (readonly [RetoldThing, TellSome])[] = [
  ['groups', tellGroups],
  ['people', tellPeople],
  ['devices', tellDevices],
  ['push-tokens', tellPushTokens],
];

/**
 * Tells the states of all groups and people, and push tokens that were kept here, once more, some in each transaction, where a
 * migration asks for it. Whoever knows a thing takes nothing older than what they know, so nothing is undone.
 */
export async function retell(
  deps: Pick<Dependencies, 'clock' | 'seals' | 'store'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  for (const [thing, tellSome] of things) {
    let isMore = true;
    while (isMore && !stopping.aborted) {
      isMore = await deps.store.write(scope, async (tx) => {
        const toldUpTo = await lockRetelling(tx.db, thing, deps.clock.now());
        if (toldUpTo === undefined) return false;
        const last = await tellSome(tx, toldUpTo, deps);
        if (last === undefined) await endRetelling(tx.db, thing);
        else await noteTold(tx.db, thing, last);
        return last !== undefined;
      });
    }
  }
}
