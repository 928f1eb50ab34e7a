import { type EventData, limits, userEvents } from '@portal/contracts';
import type { Outbox } from '@portal/service-kit';

type Person = EventData<typeof userEvents.userUpdated>;

/** Half of what an event may have, in characters: most of them may take two bytes. */
const charactersOfEvent = 400_000;

/** Tells of people who were changed: of one in an event of their own, of several together. */
export function tellUpdated(outbox: Outbox, partnerId: number, people: readonly Person[]): void {
  const [first, ...others] = people;
  if (first && others.length === 0) {
    outbox.append(userEvents.userUpdated, { subject: first.userId, partnerId, data: first });
    return;
  }
  for (const some of inEvents(people)) {
    outbox.append(userEvents.usersUpdated, {
      subject: partnerId,
      partnerId,
      data: { partnerId, people: some },
    });
  }
}

/** Tells of people as they are, with no change. */
export function tellOnceMore(
  outbox: Outbox,
  partnerId: number,
  people: readonly EventData<typeof userEvents.userCreated>[],
): void {
  for (const some of inEvents(people)) {
    outbox.append(userEvents.usersTold, {
      subject: partnerId,
      partnerId,
      data: { partnerId, people: some },
    });
  }
}

/** As `tellUpdated`, of people who were deleted. */
export function tellDeleted(outbox: Outbox, partnerId: number, userIds: readonly number[]): void {
  const [first, ...others] = userIds;
  if (first !== undefined && others.length === 0) {
    outbox.append(userEvents.userDeleted, { subject: first, partnerId, data: { userId: first } });
    return;
  }
  for (const people of inEvents(userIds.map((userId) => ({ userId })))) {
    outbox.append(userEvents.usersDeleted, { subject: partnerId, partnerId, data: { partnerId, people } });
  }
}

/** Parts that are small enough for an event each, also where everybody is in a thousand groups. */
function inEvents<T>(people: readonly T[]): T[][] {
  const parts: T[][] = [];
  let characters = 0;
  for (const person of people) {
    const { length } = JSON.stringify(person);
    const last = parts.at(-1);
    if (last && last.length < limits.peopleOfEvent && characters + length <= charactersOfEvent) {
      last.push(person);
      characters += length;
    } else {
      parts.push([person]);
      characters = length;
    }
  }
  return parts;
}
