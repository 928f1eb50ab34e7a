import { type EventData, userEvents } from '@portal/contracts';
import { pushTokenSeal } from '@portal/contracts/internal';
import { type PushHarness, startPushHarness } from './push-harness.ts';

/** The push service with people, groups and devices, as the user service tells of them. */
export interface AudienceHarness extends PushHarness {
  group(partnerId: number, groupId: number): Promise<void>;
  person(
    partnerId: number,
    userId: number,
    state?: Partial<EventData<typeof userEvents.userCreated>>,
  ): Promise<void>;
  /** A device tells a push token; null: it has none any more. Answers the number of that. */
  tell(device: ToldDevice, token: string | null): Promise<number>;
  remove(device: ToldDevice, more?: Partial<EventData<typeof userEvents.deviceRemoved>>): Promise<void>;
  /** A number that no token had yet. */
  nextNumber(): number;
}

export interface ToldDevice {
  readonly partnerId: number;
  readonly userId: number;
  readonly uuid: string;
  readonly registration?: number;
  readonly service?: 'fcm' | 'apns';
  readonly number?: number;
}

export async function startAudienceHarness(): Promise<AudienceHarness> {
  const harness = await startPushHarness();
  let revisions = 0;
  let numbers = 0;
  return {
    ...harness,
    nextNumber: () => ++numbers,
    async group(partnerId, groupId) {
      await harness.deliver(userEvents.groupCreated, {
        subject: groupId,
        partnerId,
        data: { groupId, revision: ++revisions, name: `Group ${groupId}`, note: '', role: 0 },
      });
    },
    async person(partnerId, userId, state = {}) {
      await harness.deliver(userEvents.userCreated, {
        subject: userId,
        partnerId,
        data: {
          userId,
          revision: ++revisions,
          name: `User ${userId}`,
          email: null,
          loginUserId: `user-${userId}`,
          role: 0,
          isUser: true,
          groupIds: [],
          ...state,
        },
      });
    },
    async tell({ number = ++numbers, partnerId, registration = 1, service = 'fcm', userId, uuid }, token) {
      await harness.deliver(userEvents.devicePushChanged, {
        subject: uuid,
        partnerId,
        data: {
          userId,
          uuid,
          registration,
          number,
          service: token === null ? null : service,
          sealed: token === null ? null : harness.sealsOf('user').seal(token, pushTokenSeal(number), 'push'),
        },
      });
      return number;
    },
    async remove({ partnerId, registration = 1, userId, uuid }, more = {}) {
      await harness.deliver(userEvents.deviceRemoved, {
        subject: uuid,
        partnerId,
        data: { userId, uuid, registration, ...more },
      });
    },
  };
}
