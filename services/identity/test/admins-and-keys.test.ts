import { randomBytes } from 'node:crypto';
import { createPasswordQueue, type Passwords } from '@portal/accounts';
import { identityRoutes, tenantEvents } from '@portal/contracts';
import { createKeyCipher, systemScope } from '@portal/service-kit';
import { keyExchange, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../src/config.ts';
import { deleteExpiredSessions } from '../src/data/session-repository.ts';
import { seedDemo } from '../src/demo/seed.ts';
import { type NewAdmin, platform } from '../src/domain/admin.ts';
import { identityService } from '../src/service.ts';
import { createKeyRing } from '../src/tokens/key-ring.ts';
import { createAdmin } from '../src/use-cases/create-admin.ts';
import { endSession } from '../src/use-cases/end-sessions.ts';
import { makeFirstAdmin } from '../src/use-cases/make-first-admin.ts';
import { startSession } from '../src/use-cases/start-session.ts';
import { type Context, takingContext } from './taking-context.ts';

let harness: ServiceHarness;
let context: Context;
let deps: Context & { passwords: Passwords };

beforeAll(async () => {
  harness = await startServiceHarness(
    takingContext((taken) => {
      context = taken;
    }),
  );
  deps = { ...context, passwords: createPasswordQueue().inBackground };
});
afterAll(async () => harness.stop());

const unitCreated = async (unitId: number, name: string) =>
  harness.deliver(tenantEvents.unitCreated, {
    subject: unitId,
    partnerId: null,
    data: { unitId, name, allocatedLicense: 10, ownerPartnerid: 0, canForceDistributeApp: false },
  });

const admin = (change: Partial<NewAdmin>): NewAdmin => ({
  name: 'Name',
  email: 'name@example.com',
  password: 'Passw0rd-demo',
  role: 63,
  unitId: null,
  ...change,
});

describe('When two instances rotate at the same moment', () => {
  const hour = 3_600_000;
  const rotateEveryMs = 30 * 24 * hour;
  const encryptionKey = randomBytes(32);
  const ring = (key = encryptionKey) =>
    createKeyRing({ ...context, cipher: createKeyCipher(key), rotateEveryMs });

  it('then one key comes of it, and both sign with it', async () => {
    const rings = Array.from({ length: 4 }, () => ring());
    const published = await Promise.all(rings.map(async ({ publicKeys }) => publicKeys()));
    expect(published[0]?.keys).toHaveLength(1);
    for (const keys of published) expect(keys).toEqual(published[0]);

    harness.clock.advance(rotateEveryMs);
    const later = await Promise.all(rings.map(async ({ publicKeys }) => publicKeys()));
    expect(later[0]?.keys).toHaveLength(2);
    for (const keys of later) expect(keys).toEqual(later[0]);
    expect(await harness.sql('SELECT kid FROM signing_keys')).toHaveLength(2);
  });

  it('and one has another encryption key, then it says so instead of signing', async () => {
    await expect(ring(randomBytes(32)).sign({ sub: '1' })).rejects.toThrow('KEY_ENCRYPTION_KEY');
  });
});

describe('When an encryption key takes the place of another', () => {
  it('then what that has sealed is sealed with the new one: keys of tokens and secrets of two factors', async () => {
    const { env, former, present } = keyExchange();
    const changing = await startServiceHarness(identityService, { env });
    try {
      await changing.call(identityRoutes.jwks);
      const read = async () => {
        const [signing] = await changing.sql<{ kid: string; private_key: Buffer }>(
          'SELECT * FROM signing_keys',
        );
        const secrets = await changing.sql<{ secret: Buffer }>(
          'SELECT secret FROM two_factors WHERE secret IS NOT NULL ORDER BY account_kind::text',
        );
        if (!signing) throw new Error('There is no key');
        return { signing, secrets: secrets.map(({ secret }) => secret) };
      };
      const { kid, private_key: sealed } = (await read()).signing;
      const key = present.open(sealed, kid);
      await changing.sql('UPDATE signing_keys SET private_key = $1', former.seal(key, kid));
      await changing.sql(
        `INSERT INTO two_factors (account_kind, account_id, secret)
         VALUES ('account', 12, $1), ('admin', 1, $2), ('admin', 2, NULL)`,
        former.seal('of a person', 'two-factor account 12'),
        former.seal('of an administrator', 'two-factor admin 1'),
      );
      await changing.runJobs();
      const { secrets, signing } = await read();
      expect(present.open(signing.private_key, kid)).toBe(key);
      const owners = ['account 12', 'admin 1'];
      expect(secrets.map((secret, at) => present.open(secret, `two-factor ${owners[at]}`))).toEqual([
        'of a person',
        'of an administrator',
      ]);
    } finally {
      await changing.stop();
    }
  });
});

const scope = systemScope('test');

describe('When an administrator is created', () => {
  it('then they are stored without the password, and published', async () => {
    await unitCreated(5, 'Five');
    const { id } = await createAdmin(deps, admin({ email: 'five@example.com', unitId: 5 }), platform, scope);
    const [event] = (await harness.events('admin.created')).filter(({ subject }) => subject === String(id));
    expect(event?.data).toEqual({
      adminId: id,
      revision: 1,
      name: 'Name',
      email: 'five@example.com',
      role: 63,
      unitId: 5,
    });
    expect(await harness.sql('SELECT unit_id, role FROM admins WHERE id = $1', id)).toEqual([
      { unit_id: 5, role: 63 },
    ]);
  });

  it('with an address that is taken in other letters, then E40029, also by two at once', async () => {
    const results = await Promise.allSettled(
      ['same@example.com', 'SAME@example.com'].map((email) =>
        createAdmin(deps, admin({ email }), platform, scope),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'E40029', fields: [{ field: 'email' }] });
  });

  it('in an unknown unit, then E40401; with more than the giver holds, E40301', async () => {
    await expect(
      createAdmin(deps, admin({ email: 'x@example.com', unitId: 99 }), platform, scope),
    ).rejects.toMatchObject({ code: 'E40401' });
    await expect(
      createAdmin(
        deps,
        admin({ email: 'x@example.com', role: 127 }),
        { adminId: null, role: 63, unitId: null },
        scope,
      ),
    ).rejects.toMatchObject({ code: 'E40301' });
    expect(await harness.sql("SELECT id FROM admins WHERE email = 'x@example.com'")).toEqual([]);
  });
});

describe('When the settings name a first administrator', () => {
  it('but there is one already, then nothing changes', async () => {
    const before = await harness.sql('SELECT id FROM admins');
    await makeFirstAdmin(deps, { email: 'first@example.com', password: 'Passw0rd-demo' }, scope);
    expect(await harness.sql('SELECT id FROM admins')).toEqual(before);
  });

  it('then both address and password must be right', () => {
    const env = { DEMO: '0', KEY_ENCRYPTION_KEY: 'A'.repeat(43) };
    const problems = (more: Record<string, string>) =>
      identityService.checkSettings({ ...env, ...more }).map((problem) => problem.split(':')[0]);
    expect(problems({})).toEqual([]);
    expect(config.parse(env)).toMatchObject({ keyRotationMs: 30 * 86_400_000, sessionMs: 30 * 86_400_000 });
    expect(problems({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' })).toEqual([]);
    expect(problems({ ADMIN_EMAIL: 'a@example.com' })).toEqual(['ADMIN_EMAIL']);
    expect(problems({ ADMIN_EMAIL: 'a', ADMIN_PASSWORD: 'weak' })).toEqual(['ADMIN_EMAIL', 'ADMIN_PASSWORD']);
    expect(problems({ KEY_ENCRYPTION_KEY: 'short' })).toEqual(['KEY_ENCRYPTION_KEY']);
  });
});

describe('When the demo is seeded before the units are known', () => {
  it('then it waits for them, and a second time changes nothing', async () => {
    const seeding = seedDemo(deps);
    await unitCreated(1, 'Demo unit');
    await unitCreated(2, 'Other unit');
    await seeding;
    await seedDemo(deps);
    const demo = "email IN ('admin@example.com', 'unit@example.com', 'other-unit@example.com')";
    expect(await harness.sql(`SELECT email, role, unit_id FROM admins WHERE ${demo} ORDER BY id`)).toEqual([
      { email: 'admin@example.com', role: 127, unit_id: null },
      { email: 'unit@example.com', role: 63, unit_id: 1 },
      { email: 'other-unit@example.com', role: 63, unit_id: 2 },
    ]);
  });
});

describe('When sessions are over', () => {
  it('then they are forgotten, the ended ones as well, and no live one', async () => {
    const owner = {
      accountKind: 'admin',
      client: 'admin',
      accountId: 1,
      role: 127,
      unitId: null,
      generation: 1,
      name: 'Name',
      email: 'name@example.com',
      twoFactorSetup: false,
    } as const;
    const start = async () =>
      context.store.write(scope, (tx) =>
        startSession(tx, owner, { agent: '', address: '' }, context.clock.now()),
      );
    const ended = await start();
    await context.store.write(scope, (tx) => endSession(tx, ended.id, context.clock.now()));
    await start();
    harness.clock.advance(1_800_000);
    const live = await start();
    harness.clock.advance(1_800_000);
    await context.store.write(scope, ({ db }) => deleteExpiredSessions(db, context.clock.now()));
    expect(await harness.sql('SELECT id FROM sessions')).toEqual([{ id: live.id }]);
  });
});
