import { identityEvents } from '@portal/contracts';
import { createLogger, manualClock } from '@portal/kernel';
import { createEvent, createInProcessEventBus } from '@portal/messaging';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AdminCaller, Caller } from '../src/auth/caller.ts';
import { followRevocations, type ReadRevocations, type Revocations } from '../src/auth/revocations.ts';

/** The roles of administrators that changed since their tokens were made. */

const clock = manualClock(new Date('2026-11-21T09:00:00Z'));
let revocations: Revocations | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await revocations?.close();
});

/** The identity service answers with `known`, and is asked with what is in `asked`. */
async function setUp(known: Awaited<ReturnType<ReadRevocations>>['roles'] = []) {
  const bus = createInProcessEventBus({ logger: createLogger({ level: 'fatal' }) });
  const state = { asked: [] as (Date | undefined)[], roles: known, outage: false };
  const read: ReadRevocations = async (since) => {
    state.asked.push(since);
    if (state.outage) throw new Error('away');
    return { sessions: [], roles: state.roles };
  };
  const following = await followRevocations({ bus, clock, read });
  revocations = following;
  await following.loaded();

  async function tell(adminId: number, revision: number, role: number): Promise<void> {
    const data = { adminId, revision, role, name: 'Name', email: 'name@example.com', unitId: null };
    const told = { subject: String(adminId), partnerId: null, data };
    const event = createEvent(identityEvents.adminUpdated, told, { source: 'identity', clock });
    await bus.publish(event.topic, [{ key: event.key, envelope: event.envelope }]);
  }

  /** The role that a token of this revision and role has now. */
  const roleOf = (revision: number, role: number, adminId = 7) =>
    following.withRoleOfNow({ ...admin, adminId, revision, role }).role;
  return { following, roleOf, state, tell };
}

const admin: AdminCaller = {
  kind: 'admin',
  adminId: 7,
  role: 127,
  unitId: null,
  revision: 1,
  sessionId: 's',
  expiresAt: new Date('2036-01-01T00:00:00Z'),
  settingUp: false,
};

describe('When an administrator gets another role', () => {
  test('then it is that of their tokens from before, lower or higher, and of nobody else', async () => {
    const { following, roleOf, tell } = await setUp();
    expect(roleOf(1, 63)).toBe(63);
    await tell(7, 2, 1);
    expect(roleOf(1, 63)).toBe(1);
    await tell(7, 3, 127);
    expect(roleOf(1, 63)).toBe(127);
    expect(roleOf(2, 1)).toBe(127);
    expect(roleOf(1, 63, 8)).toBe(63);
    const person: Caller = {
      kind: 'tenant',
      accountId: 7,
      partnerId: 1,
      role: 16,
      client: 'portal',
      platformUuid: null,
      sessionId: 's',
      expiresAt: admin.expiresAt,
      settingUp: false,
    };
    expect(following.withRoleOfNow(person)).toBe(person);
  });

  test('then a token that was made of it, or of a later one, has its own', async () => {
    const { roleOf, tell } = await setUp();
    await tell(7, 2, 1);
    expect(roleOf(2, 1)).toBe(1);
    // The next change is on its way.
    expect(roleOf(3, 31)).toBe(31);
  });

  test('then an earlier change that comes later does not count', async () => {
    const { roleOf, tell } = await setUp();
    await tell(7, 3, 1);
    await tell(7, 2, 127);
    expect(roleOf(1, 63)).toBe(1);
  });

  test('before a service starts, then that one knows', async () => {
    const { roleOf } = await setUp([{ adminId: 7, role: 1, revision: 4 }]);
    expect(roleOf(3, 63)).toBe(1);
    expect(roleOf(4, 1)).toBe(1);
  });

  test('which the bus does not tell, then it is known some seconds later, once the identity service answers', async () => {
    vi.useFakeTimers();
    const { roleOf, state } = await setUp();
    state.roles = [{ adminId: 7, role: 1, revision: 2 }];
    state.outage = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(roleOf(1, 63)).toBe(63);
    state.outage = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(roleOf(1, 63)).toBe(1);
    expect(state.asked.at(-1)?.toISOString()).toBe('2026-11-21T08:59:30.000Z');
  });

  test('then it is kept until all tokens from before are over, and no longer', async () => {
    vi.useFakeTimers();
    const { roleOf, tell } = await setUp();
    await tell(7, 2, 1);
    clock.advance(3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(roleOf(1, 63)).toBe(1);
    clock.advance(30_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(roleOf(1, 63)).toBe(63);
  });
});
