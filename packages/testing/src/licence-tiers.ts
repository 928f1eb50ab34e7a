import type { Client } from 'pg';
import { vi } from 'vitest';
import { demoPassword, type Reply, send, signIn, signInAdmin } from './http-client.ts';

/**
 * A unit with licences, two partners that have some of them, and users or devices that take these: for tests that change all three
 * tiers at once.
 */
export interface LicenceTiers {
  readonly unitId: number;
  readonly partners: readonly TierPartner[];
  /** A call as the platform's administrator, or as whoever `token` is of. */
  call(method: string, path: string, body?: object, token?: string): Promise<Reply>;
  /** Somebody does something, at random; rejects where a process dies over it. */
  act(): Promise<void>;
  /** How often what was tried has ended how: `create done`, `count refused`, `type 503`. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Which tier is above the one that it is out of, at one moment. */
  look(databases: TierDatabases): Promise<string[]>;
}

export interface TierPartner {
  readonly id: number;
  readonly code: string;
  /** Of a company admin. */
  readonly token: string;
  /** The users that were made. */
  readonly users: number[];
}

export interface TierDatabases {
  readonly tenant: Client;
  readonly user: Client;
}

/** A unit, in numbers as `contractOf` has them. */
const allocated = 40;
const usedBy = {
  user: 'SELECT count(*)::integer AS used FROM accounts WHERE partner_id = $1 AND is_user',
  device: 'SELECT count(*)::integer AS used FROM devices WHERE partner_id = $1',
};

/** @param name tells the tiers of a product apart @param portalOf where the next call goes */
export async function makeLicenceTiers(
  name: string,
  portalOf: () => { readonly url: string },
): Promise<LicenceTiers> {
  const admin = await signInAdmin(portalOf());
  const call = async (method: string, path: string, body?: object, token = admin): Promise<Reply> =>
    send(portalOf(), method, path, { token, ...(body && { body }) });

  const unit = await call('POST', '/v1/admin/outsourcing/units', { name, allocated_license: allocated });
  const unitId = Number(unit.body['id']);
  const partners: TierPartner[] = [];
  for (let n = 0; n < 2; n += 1) {
    const code = `${name}-${n}`;
    const made = await call('POST', '/v1/admin/partners', {
      name: code,
      partner_code: code,
      unit_id: unitId,
      contract_rank: 'standard',
      license_count: 10,
    });
    const id = Number(made.body['id']);
    const email = `${code}@example.com`;
    const body = { name: 'Admin', email, password: demoPassword };
    await vi.waitFor(async () => {
      const { status } = await call('POST', `/v1/admin/partners/${id}/admins`, body);
      if (status !== 201) throw new Error(`The company admin was not made: ${status}`);
    }, 10_000);
    partners.push({ id, code, token: await signIn(portalOf(), code, email), users: [] });
  }

  /** The same numbers in each run. */
  let seed = 20_261_124;
  function random(below: number): number {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  }
  const oneOf = <T>(list: readonly T[]): T | undefined => list[random(list.length)];

  let logins = 0;
  const outcomes = new Map<string, number>();

  async function actOn(partner: TierPartner): Promise<[string, Reply]> {
    const path = `/v1/partner/partners/${partner.id}/users`;
    const change = async (body: object) => call('PUT', `/v1/admin/partners/${partner.id}`, body);
    const what = random(100);
    if (what < 35) {
      const loginUserId = `u${logins++}`;
      const body = { name: 'A', login_user_id: loginUserId, password: demoPassword };
      const reply = await call('POST', path, body, partner.token);
      if (reply.status === 201) partner.users.push(Number(reply.body['id']));
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
      return ['sign in', await send(portalOf(), 'POST', '/v2/partner/login', { body })];
    }
    if (what < 60) {
      const id = oneOf(partner.users) ?? 1;
      return ['remove devices', await call('PUT', `${path}/${id}`, { platform_uuids: [] }, partner.token)];
    }
    if (what < 85) return ['count', await change({ license_count: 1 + random(18) })];
    if (what < 92) return ['type', await change({ license_type: oneOf(['user', 'device']) })];
    const body = { name, allocated_license: 10 + random(allocated) };
    return ['allocation', await call('PUT', `/v1/admin/outsourcing/units/${unitId}`, body)];
  }

  return {
    unitId,
    partners,
    call,
    outcomes,
    async act() {
      const partner = oneOf(partners);
      if (!partner) return;
      const [what, { status }] = await actOn(partner);
      const outcome = `${what} ${status < 300 ? 'done' : status < 500 ? 'refused' : status}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    },
    async look(databases) {
      const passed: string[] = [];
      for (const { code, id } of partners) {
        const { count, type, used } = await stillOf(databases, id);
        if (used > count) passed.push(`${code}: ${used} ${type} licences of ${count}`);
      }
      const units = await databases.tenant.query<{ given: number; allocated: number }>(
        `SELECT allocated_license AS allocated,
           (SELECT coalesce(sum(license_count), 0)::integer FROM partners WHERE unit_id = units.id) AS given
         FROM units WHERE id = $1`,
        [unitId],
      );
      for (const of of units.rows)
        if (of.given > of.allocated) passed.push(`unit: ${of.given} of ${of.allocated}`);
      return passed;
    },
  };
}

/** Nobody takes or frees a licence of the partner meanwhile, so what is used and what is allowed are of one moment. */
async function stillOf(databases: TierDatabases, partnerId: number): Promise<Contract & { used: number }> {
  await databases.user.query('BEGIN');
  try {
    await databases.user.query('SELECT FROM partners WHERE partner_id = $1 FOR UPDATE', [partnerId]);
    const contract = await contractOf(databases, partnerId);
    return { ...contract, used: await usedOf(databases, partnerId, contract.type) };
  } finally {
    await databases.user.query('ROLLBACK');
  }
}

export interface Contract {
  readonly type: 'user' | 'device';
  readonly count: number;
}

/** What a partner may use, as the tenant service keeps it. */
export async function contractOf({ tenant }: TierDatabases, partnerId: number): Promise<Contract> {
  const found = await tenant.query<Contract>(
    'SELECT license_type AS type, license_count AS count FROM partners WHERE partner_id = $1',
    [partnerId],
  );
  const [contract] = found.rows;
  if (!contract) throw new Error('The partner is gone');
  return contract;
}

/** How many users or devices a partner has, as the user service keeps them. */
export async function usedOf(
  { user }: TierDatabases,
  partnerId: number,
  type: Contract['type'],
): Promise<number> {
  return (await user.query<{ used: number }>(usedBy[type], [partnerId])).rows[0]?.used ?? 0;
}

/** Resolves when nothing is held, and the user service knows each contract and the tenant service each number of users. */
export async function untilTiersAgree(
  databases: TierDatabases,
  { partners }: Pick<LicenceTiers, 'partners'>,
  timeout = 40_000,
): Promise<void> {
  const ids = partners.map(({ id }) => id);
  const rowsOf = async (client: Client, sql: string): Promise<string> =>
    JSON.stringify((await client.query(sql, [ids])).rows);
  await vi.waitFor(
    async () => {
      for (const client of [databases.tenant, databases.user]) {
        const { rowCount } = await client.query('SELECT FROM licence_holds WHERE partner_id = ANY ($1)', [
          ids,
        ]);
        if (rowCount !== 0) throw new Error('Licences are still held');
      }
      const contracts = `SELECT partner_id, license_type::text AS license_type, license_count
        FROM partners WHERE partner_id = ANY ($1) ORDER BY 1`;
      const [has, knows] = [
        await rowsOf(databases.tenant, contracts),
        await rowsOf(databases.user, contracts),
      ];
      if (has !== knows) throw new Error(`The user service knows ${knows} instead of ${has}`);
      const users = await rowsOf(
        databases.user,
        `SELECT partner_id, count(*) FILTER (WHERE is_user)::integer AS count FROM accounts
         WHERE partner_id = ANY ($1) GROUP BY 1 ORDER BY 1`,
      );
      const counted = await rowsOf(
        databases.tenant,
        `SELECT p.partner_id, coalesce(u.count, 0) AS count FROM partners p
         LEFT JOIN licence_use u ON u.partner_id = p.partner_id AND u.kind = 'user'
         WHERE p.partner_id = ANY ($1) ORDER BY 1`,
      );
      if (users !== counted)
        throw new Error(`The tenant service counts ${counted} users instead of ${users}`);
    },
    { timeout, interval: 10 },
  );
}
