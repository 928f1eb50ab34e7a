import { demoPassword, type Reply, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/**
 * Licences over three tiers: what a unit is allocated, what its partners have, and what their users or devices take. Whatever is
 * changed at the same moment, and wherever a process dies, no tier passes the one above.
 */

let product: Product;
let admin: string;
let unitId: number;
const partners: { id: number; code: string; token: string; users: number[] }[] = [];
const allocated = 40;

beforeAll(async () => {
  product = await startProduct();
  admin = await signInAdmin(product);
  const unit = await call('POST', '/v1/admin/outsourcing/units', {
    name: 'Licences',
    allocated_license: allocated,
  });
  unitId = Number(unit.body.id);
  for (let n = 0; n < 2; n += 1) {
    const code = `licences-${n}`;
    const made = await call('POST', '/v1/admin/partners', {
      name: code,
      partner_code: code,
      unit_id: unitId,
      contract_rank: 'standard',
      license_count: 10,
    });
    const id = Number(made.body.id);
    const email = `${code}@example.com`;
    const body = { name: 'Admin', email, password: demoPassword };
    await vi.waitFor(async () => {
      expect((await call('POST', `/v1/admin/partners/${id}/admins`, body)).status).toBe(201);
    }, 10_000);
    partners.push({ id, code, token: await signIn(product, code, email), users: [] });
  }
});
afterAll(() => product?.remove());

const call = async (method: string, path: string, body?: object, token = admin): Promise<Reply> =>
  send(product, method, path, { token, ...(body && { body }) });

/** The same numbers in each run. */
let seed = 20_261_124;
function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}
const oneOf = <T>(list: readonly T[]): T | undefined => list[random(list.length)];

let logins = 0;
const statuses = new Map<string, number>();

/** Something that somebody does; a call that a dying process breaks off rejects. */
async function doSomething(): Promise<void> {
  const partner = oneOf(partners);
  if (!partner) return;
  const path = `/v1/partner/partners/${partner.id}/users`;
  const change = async (body: object) => call('PUT', `/v1/admin/partners/${partner.id}`, body);
  const act = async (): Promise<[string, Reply]> => {
    const what = random(100);
    if (what < 35) {
      const loginUserId = `u${logins++}`;
      const body = { name: 'A', login_user_id: loginUserId, password: demoPassword };
      const reply = await call('POST', path, body, partner.token);
      if (reply.status === 201) partner.users.push(Number(reply.body.id));
      return ['create', reply];
    }
    if (what < 45) {
      const gone = partner.users.splice(random(partner.users.length), 1);
      return ['delete', await call('DELETE', path, { ids: gone }, partner.token)];
    }
    if (what < 55) {
      const body = {
        partner_code: partner.code,
        login_user_id: `u${random(logins + 1)}`,
        password: demoPassword,
        platform: { uuid: `d${random(12)}` },
      };
      return ['sign in', await send(product, 'POST', '/v2/partner/login', { body })];
    }
    if (what < 60) {
      const id = oneOf(partner.users) ?? 1;
      return ['remove devices', await call('PUT', `${path}/${id}`, { platform_uuids: [] }, partner.token)];
    }
    if (what < 85) return ['count', await change({ license_count: 1 + random(18) })];
    if (what < 92) return ['type', await change({ license_type: oneOf(['user', 'device']) })];
    const body = { name: 'Licences', allocated_license: 10 + random(allocated) };
    return ['allocation', await call('PUT', `/v1/admin/outsourcing/units/${unitId}`, body)];
  };
  const [what, { status }] = await act();
  const outcome = `${what} ${status < 300 ? 'done' : status < 500 ? 'refused' : status}`;
  statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
}

const usedBy = {
  user: 'SELECT count(*)::integer AS used FROM accounts WHERE partner_id = $1 AND is_user',
  device: 'SELECT count(*)::integer AS used FROM devices WHERE partner_id = $1',
};

interface Databases {
  readonly tenant: Client;
  readonly user: Client;
}

const contractOf = async ({ tenant }: Databases, partnerId: number) => {
  const found = await tenant.query<{ type: 'user' | 'device'; count: number }>(
    'SELECT license_type AS type, license_count AS count FROM partners WHERE partner_id = $1',
    [partnerId],
  );
  const [contract] = found.rows;
  if (!contract) throw new Error('The partner is gone');
  return contract;
};

const usedOf = async ({ user }: Databases, partnerId: number, type: 'user' | 'device') =>
  (await user.query<{ used: number }>(usedBy[type], [partnerId])).rows[0]?.used ?? 0;

/** Nobody takes or frees a licence of the partner meanwhile, so what is used and what is allowed are of one moment. */
async function look(databases: Databases): Promise<string[]> {
  const passed: string[] = [];
  for (const { code, id } of partners) {
    await databases.user.query('BEGIN');
    try {
      await databases.user.query('SELECT FROM partners WHERE partner_id = $1 FOR UPDATE', [id]);
      const { count, type } = await contractOf(databases, id);
      const used = await usedOf(databases, id, type);
      if (used > count) passed.push(`${code}: ${used} ${type} licences of ${count}`);
    } finally {
      await databases.user.query('ROLLBACK');
    }
  }
  const units = await databases.tenant.query<{ given: number; allocated: number }>(
    `SELECT allocated_license AS allocated,
       (SELECT coalesce(sum(license_count), 0)::integer FROM partners WHERE unit_id = units.id) AS given
     FROM units WHERE id = $1`,
    [unitId],
  );
  for (const unit of units.rows)
    if (unit.given > unit.allocated) passed.push(`unit: ${unit.given} of ${unit.allocated}`);
  return passed;
}

async function connect(): Promise<Databases> {
  const [tenant, user] = await Promise.all([
    connectAsService(product, 'tenant'),
    connectAsService(product, 'user'),
  ]);
  // The server is killed under them.
  for (const client of [tenant, user]) client.on('error', () => undefined);
  return { tenant, user };
}
const disconnect = async ({ tenant, user }: Databases) => Promise.allSettled([tenant.end(), user.end()]);

const rounds = 6;
const callers = 8;

test('When many change all tiers at once and everything is killed, then none passes another, and all figures agree', {
  timeout: 240_000,
}, async () => {
  const passed: string[] = [];
  let looks = 0;
  for (let round = 0; round < rounds; round += 1) {
    const databases = await connect();
    const acting = new AbortController();
    const all = Promise.allSettled([
      ...Array.from({ length: callers }, async () => {
        while (!acting.signal.aborted) await doSomething();
      }),
      (async () => {
        while (!acting.signal.aborted) {
          passed.push(...(await look(databases)));
          looks += 1;
        }
      })(),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 3_000 + round * 217));
    // The last round ends in peace.
    const dies = round < rounds - 1;
    if (dies) await product.kill({ sparePostgres: round % 2 === 0 });
    acting.abort();
    await all;
    await disconnect(databases);
    if (!dies) continue;
    await product.start();
    const again = await connect();
    passed.push(...(await look(again)));
    await disconnect(again);
  }
  expect(passed).toEqual([]);
  expect(looks).toBeGreaterThan(rounds * 10);
  const happened = [...statuses.keys()];
  expect(happened).toEqual(
    expect.arrayContaining([
      'create done',
      'create refused',
      'count done',
      'count refused',
      'type done',
      'allocation done',
      'allocation refused',
    ]),
  );

  const databases = await connect();
  // What died left nothing held, once nobody waits for it.
  for (const db of [databases.tenant, databases.user]) {
    const holds = async () => (await db.query('SELECT FROM licence_holds')).rowCount;
    await expect.poll(holds, { timeout: 40_000, interval: 500 }).toBe(0);
  }
  let given = 0;
  for (const { id, token } of partners) {
    const { count, type } = await contractOf(databases, id);
    given += count;
    const used = await usedOf(databases, id, type);
    const remaining = async () =>
      (await call('GET', `/v1/partner/partners/${id}/summary`, undefined, token)).body;
    await expect
      .poll(remaining, { timeout: 20_000, interval: 200 })
      .toMatchObject({ licenseCount: count, licenseType: type, licenseRemaining: count - used });
  }
  const unit = await call('GET', `/v1/admin/outsourcing/units/${unitId}`);
  expect(unit.body.consumedLicense).toBe(given);

  // Exactly what is left can be taken.
  const [partner] = partners;
  if (!partner) throw new Error('No partner');
  const { count } = await contractOf(databases, partner.id);
  // Where devices counted, there may be more users than licences.
  const tooMany = Math.max(0, (await usedOf(databases, partner.id, 'user')) - count);
  if (tooMany > 0) {
    const ids = partner.users.slice(0, tooMany);
    const gone = await call('DELETE', `/v1/partner/partners/${partner.id}/users`, { ids }, partner.token);
    expect(gone.status).toBe(200);
  }
  await expect
    .poll(
      async () => (await call('PUT', `/v1/admin/partners/${partner.id}`, { license_type: 'user' })).status,
    )
    .toBe(200);
  const left = count - (await usedOf(databases, partner.id, 'user'));
  const made = await Promise.all(
    Array.from({ length: left + 3 }, async (_, n) => {
      const body = { name: 'A', email: `last-${n}@example.com` };
      return (await call('POST', `/v1/partner/partners/${partner.id}/users`, body, partner.token)).status;
    }),
  );
  expect(made.filter((status) => status === 201)).toHaveLength(left);
  await disconnect(databases);
});
