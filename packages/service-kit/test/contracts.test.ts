import { tenantEvents } from '@portal/contracts';
import { AppError, createLogger, systemClock } from '@portal/kernel';
import { createEvent, createInProcessEventBus } from '@portal/messaging';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Contracts, followContracts, type TenantContract } from '../src/auth/contracts.ts';

/** What an instance of a service knows of the contracts of tenants, between the events and its database. */

const state = { ...tenantEvents.partnerCreated.data.parse(tenantEvents.partnerCreated.example) };
const stored = new Map<number, TenantContract>();
const bus = createInProcessEventBus({ logger: createLogger({ level: 'fatal' }) });
const read = vi.fn(async (partnerId: number) => {
  const contract = stored.get(partnerId);
  if (!contract) throw new AppError('E40402');
  return contract;
});
let contracts: Contracts;

beforeEach(async () => {
  vi.useFakeTimers();
  stored.clear();
  stored.set(1, { contractRank: 'trial', licenseExpiredOn: null, revision: 3 });
  read.mockClear();
  contracts = await followContracts({ bus, read });
});
afterEach(async () => {
  await contracts.close();
  vi.useRealTimers();
});

const rank = async (partnerId = 1) =>
  contracts.of(partnerId).then(
    ({ contractRank }) => contractRank,
    (error: AppError) => error.code,
  );

async function tell(
  event: 'partnerUpdated' | 'partnerDeleted',
  data: { contractRank?: TenantContract['contractRank']; revision?: number } = {},
) {
  const { envelope, key, topic } = createEvent(
    tenantEvents[event],
    { subject: '1', partnerId: 1, data: { ...state, ...data } },
    { source: 'tenant', clock: systemClock() },
  );
  await bus.publish(topic, [{ key, envelope }]);
}

test('A contract is read once for many calls, and again after some seconds', async () => {
  expect(await Promise.all([rank(), rank(), rank()])).toEqual(['trial', 'trial', 'trial']);
  expect(await rank()).toBe('trial');
  expect(read).toHaveBeenCalledTimes(1);
  stored.set(1, { contractRank: 'entry', licenseExpiredOn: null, revision: 4 });
  vi.advanceTimersByTime(5_000);
  expect(await rank()).toBe('entry');
});

test('A change counts as soon as it is told, and what the service has not stored yet does not undo it', async () => {
  expect(await rank()).toBe('trial');
  await tell('partnerUpdated', { contractRank: 'standard', revision: 5 });
  await vi.waitFor(async () => expect(await rank()).toBe('standard'));
  vi.advanceTimersByTime(5_000);
  expect(await rank()).toBe('standard');
  // An event that is late.
  await tell('partnerUpdated', { contractRank: 'entry', revision: 4 });
  vi.advanceTimersByTime(1_000);
  expect(await rank()).toBe('standard');
});

test('What was told while the contract was read is not overwritten by the answer', async () => {
  let answer: () => void = () => {};
  read.mockImplementationOnce(async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return { contractRank: 'trial', licenseExpiredOn: null, revision: 3 };
  });
  const reading = rank();
  await tell('partnerUpdated', { contractRank: 'standard', revision: 4 });
  await vi.advanceTimersByTimeAsync(100);
  expect(await rank()).toBe('standard');
  answer();
  expect(await reading).toBe('standard');
});

test('The tokens of a tenant that is deleted, or never was, are worth nothing', async () => {
  expect(await rank(2)).toBe('E40102');
  expect(await rank()).toBe('trial');
  await tell('partnerDeleted');
  await vi.waitFor(async () => expect(await rank()).toBe('E40102'));
  vi.advanceTimersByTime(60_000);
  expect(await rank()).toBe('E40102');
  await tell('partnerUpdated', { revision: 9 });
  vi.advanceTimersByTime(1_000);
  expect(await rank()).toBe('E40102');
});

test('While the contracts cannot be read, what was known goes on, and what was not is E50301', async () => {
  expect(await rank()).toBe('trial');
  vi.advanceTimersByTime(5_000);
  read.mockRejectedValue(new AppError('E50301'));
  expect(await rank()).toBe('trial');
  expect(await rank(3)).toBe('E50301');
});
