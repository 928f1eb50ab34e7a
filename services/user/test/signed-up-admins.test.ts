import { createPasswordQueue } from '@portal/accounts';
import { companyAdminRoutes, tenantEvents, userEvents } from '@portal/contracts';
import { type SignedUpAdmin, signedUpAdminSeal, verifyLogin } from '@portal/contracts/internal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUserHarness, type UserHarness } from './user-harness.ts';

/** The company admin of a company that signed up. */

let harness: UserHarness;
let passwordHash: string;
beforeAll(async () => {
  harness = await startUserHarness();
  passwordHash = await createPasswordQueue().inBackground.hash('Orange-boat-42');
});
afterAll(async () => harness.stop());

const admin: SignedUpAdmin = {
  name: 'Yamada Hanako',
  email: 'Hanako@example.com',
  passwordHash: null,
  identity: null,
};
async function request(pid: number, given: Partial<SignedUpAdmin> = {}, times = 1) {
  const text = JSON.stringify({ ...admin, ...given });
  const sealed = harness.sealsOf('tenant').seal(text, signedUpAdminSeal(pid), 'user');
  const data = { partnerId: pid, sealed };
  await harness.deliver(tenantEvents.companyAdminRequested, { subject: pid, partnerId: pid, data, times });
}
const createdOf = async (pid: number) =>
  (await harness.events(userEvents.userCreated.type)).filter(({ partnerid }) => partnerid === pid);

describe('When a company has signed up', () => {
  test('then its company admin is made once, who is no user, and takes no licence', async () => {
    const { actor, pid } = await harness.partner({ licenseCount: 1 });
    await request(pid, { passwordHash }, 2);
    const list = await harness.call(companyAdminRoutes.listCompanyAdmins, { params: { pid } }, actor);
    expect(list.body.admins).toMatchObject([
      { name: 'Yamada Hanako', email: 'Hanako@example.com', createUserFlag: false },
    ]);
    const told = await createdOf(pid);
    expect(told.map(({ data }) => data)).toMatchObject([
      { role: 268_435_456, isUser: false, hasPassword: true, signUp: { identity: null } },
    ]);
    const body = { partnerId: pid, email: 'hanako@EXAMPLE.com', password: 'Orange-boat-42' };
    expect((await harness.callAs('identity', verifyLogin, { body })).status).toBe(200);
  });

  test('then one without a password has yet to choose it, and the account elsewhere is passed on sealed', async () => {
    const { pid } = await harness.partner();
    await request(pid, { identity: 'sealed-by-identity' });
    const [told] = await createdOf(pid);
    expect(told?.data).toMatchObject({ hasPassword: false, signUp: { identity: 'sealed-by-identity' } });
  });

  test('then of a company that is gone nobody is made, nor beside somebody with that address', async () => {
    const gone = 77_001;
    await request(gone);
    expect(await createdOf(gone)).toEqual([]);
    const partner = await harness.partner();
    await partner.user({ email: 'hanako@example.com' });
    await request(partner.pid);
    expect(await createdOf(partner.pid)).toHaveLength(1);
  });
});
