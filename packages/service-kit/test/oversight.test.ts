import { AppError, manualClock } from '@portal/kernel';
import { expect, test } from 'vitest';
import { type Authority, admit } from '../src/auth/authorise.ts';
import { type AdminCaller, scopeOf, type TenantCaller } from '../src/auth/caller.ts';

/** Which partners administrators reach, and whose rows callers may see. */

const session = { sessionId: 's', expiresAt: new Date('2036-01-01T00:00:00Z'), settingUp: false };
const admin = (unitId: number | null): AdminCaller => ({
  kind: 'admin',
  adminId: 1,
  role: 127,
  unitId,
  revision: 1,
  ...session,
});
const person: TenantCaller = {
  kind: 'tenant',
  accountId: 1,
  partnerId: 4,
  role: 0,
  client: 'portal',
  platformUuid: null,
  ...session,
};

const unitsByPartner = new Map([
  [1, 10],
  [2, 20],
]);
const authority: Authority = {
  verifyUser: () => person,
  verifyService: async () => '',
  isApiKey: () => false,
  tenantOfKey: async () => undefined,
  contractOf: async () => ({ contractRank: 'free', licenseExpiredOn: null }),
  clock: manualClock(new Date('2026-11-21T09:00:00Z')),
  async unitOf(partnerId) {
    const unitId = unitsByPartner.get(partnerId);
    if (unitId === undefined) throw new AppError('E40402');
    return unitId;
  },
};

const outcome = async (caller: AdminCaller, partnerId: string | undefined) =>
  admit({ access: [{ kind: 'admin', roles: 1 }], settingUp: false }, caller, partnerId, authority).then(
    () => 'admitted',
    (error: AppError) => error.code,
  );

test.each([
  ['of the platform', null, '1', 'admitted'],
  ['of the platform', null, '2', 'admitted'],
  ['of the platform', null, '3', 'E40402'],
  ['of unit 10', 10, '1', 'admitted'],
  ['of unit 10', 10, '2', 'E40305'],
  ['of unit 10', 10, '3', 'E40402'],
  ['of unit 10', 10, 'x', 'E40401'],
  ['of unit 10', 10, '0', 'E40401'],
  ['of unit 20', 20, '1', 'E40305'],
  ['of unit 20', 20, undefined, 'admitted'],
])('An administrator %s at partner %3$s: %4$s', async (_, unitId, partnerId, expected) => {
  expect(await outcome(admin(unitId), partnerId)).toBe(expected);
});

test('An administrator of a unit takes a partner of another for none where tenants call too', async () => {
  const access = [
    { kind: 'partner', roles: 0 },
    { kind: 'admin', roles: 1 },
  ] as const;
  const at = async (unitId: number | null, partnerId: string) =>
    admit({ access, settingUp: false }, admin(unitId), partnerId, authority);
  await expect(at(10, '1')).resolves.toBeUndefined();
  await expect(at(null, '2')).resolves.toBeUndefined();
  await expect(at(10, '2')).rejects.toMatchObject({ code: 'E40402' });
});

test('What is for administrators of the platform alone refuses those of units, whatever their role', async () => {
  const access = [{ kind: 'admin', roles: 1, platform: true }] as const;
  const by = async (unitId: number | null) =>
    admit({ access, settingUp: false }, admin(unitId), undefined, authority);
  await expect(by(null)).resolves.toBeUndefined();
  await expect(by(10)).rejects.toMatchObject({ code: 'E40301' });
});

test('The scope of a caller is the partner, the unit, or for the platform the system', () => {
  expect(scopeOf(person)).toEqual({ kind: 'partner', partnerId: 4 });
  expect(scopeOf(admin(10))).toEqual({ kind: 'unit', unitId: 10 });
  expect(scopeOf(admin(null))).toMatchObject({ kind: 'system', why: expect.any(String) });
});
