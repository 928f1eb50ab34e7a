import {
  type Contract,
  contractOf,
  type LicenceTiers,
  makeLicenceTiers,
  type TierDatabases,
  type TierPartner,
  untilTiersAgree,
  usedOf,
} from '@portal/testing/licence-tiers';
import { type Product, startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAsService } from './support.ts';

/**
 * Licences over three tiers: what a unit is allocated, what its partners have, and what their users or devices take. Whatever is
 * changed at the same moment, and wherever a process dies, no tier passes the one above.
 */

let product: Product;
/** How far the clock of the product is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.remove());

async function connect(): Promise<TierDatabases> {
  const [tenant, user] = await Promise.all([
    connectAsService(product, 'tenant'),
    connectAsService(product, 'user'),
  ]);
  // The server is killed under them.
  for (const client of [tenant, user]) client.on('error', () => undefined);
  return { tenant, user };
}
const disconnect = async ({ tenant, user }: TierDatabases) => Promise.allSettled([tenant.end(), user.end()]);

/** Of a person without a password, which would take its time to be hashed. */
async function createUser(
  { call }: LicenceTiers,
  { id, token }: TierPartner,
  email: string,
): Promise<Outcome> {
  const body = { name: 'A', email };
  const reply = await call('POST', `/v1/partner/partners/${id}/users`, body, token);
  return { code: codeOf(reply), id: Number(reply.body.id) };
}

interface Outcome {
  readonly code: string;
  readonly id?: number;
}
const codeOf = ({ body, status }: { status: number; body: Record<string, unknown> }) =>
  status < 300 ? 'done' : String(body.code);

/** What the plain model has of a partner. */
interface Modelled extends Contract {
  readonly users: number;
}
interface Model {
  readonly allocated: number;
  readonly partners: readonly Modelled[];
}
type Answer = readonly [code: string, after: Model];

/** Something that is done: to the product, and to the model. */
interface Step {
  readonly name: string;
  run(): Promise<string>;
  model(before: Model): Answer;
}

const given = ({ partners }: Model) => partners.reduce((sum, { count }) => sum + count, 0);
const usedIn = ({ users }: Modelled, type: Contract['type']) => (type === 'user' ? users : 0);

/** Of a partner in the model, which `change` answers with a code or as it is after. */
const ofPartner =
  (at: number, change: (partner: Modelled, model: Model) => string | Modelled) =>
  (model: Model): Answer => {
    const partner = model.partners[at];
    if (!partner) throw new Error('Not in the model');
    const changed = change(partner, model);
    return typeof changed === 'string'
      ? [changed, model]
      : ['done', { ...model, partners: model.partners.with(at, changed) }];
  };

/** All orders of a few things. */
function ordersOf<T>(things: readonly T[]): T[][] {
  if (things.length <= 1) return [[...things]];
  return things.flatMap((first, at) => ordersOf(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

describe('When four things are done at once, again and again', () => {
  const rounds = 25;

  test('then they have the answers and the end that a plain model has in one of their orders', {
    timeout: 60_000,
  }, async () => {
    const tiers = await makeLicenceTiers('modelled', () => product);
    const databases = await connect();
    let seed = 15;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    let emails = 0;

    function anyStep(partner: TierPartner, at: number, contractsChanged: Set<number>): Step {
      const what = random(10);
      const change = async (body: object) =>
        codeOf(await tiers.call('PUT', `/v1/admin/partners/${partner.id}`, body));
      if (what < 3 || contractsChanged.has(at)) {
        const gone = what === 0 ? partner.users.pop() : undefined;
        const path = `/v1/partner/partners/${partner.id}/users`;
        if (gone !== undefined)
          return {
            name: `delete of ${at}`,
            run: async () => codeOf(await tiers.call('DELETE', path, { ids: [gone] }, partner.token)),
            model: ofPartner(at, (of) => ({ ...of, users: of.users - 1 })),
          };
        const email = `m${emails++}@example.com`;
        return {
          name: `create of ${at}`,
          async run() {
            const { code, id = 0 } = await createUser(tiers, partner, email);
            if (code === 'done') partner.users.push(id);
            return code;
          },
          model: ofPartner(at, (of) =>
            of.type === 'user' && of.users >= of.count ? 'E40008' : { ...of, users: of.users + 1 },
          ),
        };
      }
      if (what < 7) {
        contractsChanged.add(at);
        const count = 1 + random(8);
        return {
          name: `${count} licences of ${at}`,
          run: async () => change({ license_count: count }),
          model: ofPartner(at, (of, model) => {
            if (given(model) - of.count + count > model.allocated && count > of.count) return 'E40016';
            return count < of.count && usedIn(of, of.type) > count ? 'E40023' : { ...of, count };
          }),
        };
      }
      if (what < 8) {
        contractsChanged.add(at);
        const type = random(3) === 0 ? 'device' : 'user';
        return {
          name: `${type} licences of ${at}`,
          run: async () => change({ license_type: type }),
          model: ofPartner(at, (of) =>
            type !== of.type && usedIn(of, type) > of.count ? 'E40023' : { ...of, type },
          ),
        };
      }
      const allocated = 6 + random(10);
      return {
        name: `allocation of ${allocated}`,
        run: async () =>
          codeOf(
            await tiers.call('PUT', `/v1/admin/outsourcing/units/${tiers.unitId}`, {
              name: 'modelled',
              allocated_license: allocated,
            }),
          ),
        model: (model) => (given(model) > allocated ? ['E40016', model] : ['done', { ...model, allocated }]),
      };
    }

    async function actual(): Promise<Model> {
      const units = await databases.tenant.query<{ allocated: number }>(
        'SELECT allocated_license AS allocated FROM units WHERE id = $1',
        [tiers.unitId],
      );
      const partners: Modelled[] = [];
      for (const { id } of tiers.partners) {
        const { count, type } = await contractOf(databases, id);
        partners.push({ count, type, users: await usedOf(databases, id, 'user') });
      }
      return { allocated: units.rows[0]?.allocated ?? 0, partners };
    }

    const seen = new Set<string>();
    let before = await actual();
    for (let round = 0; round < rounds; round += 1) {
      const contractsChanged = new Set<number>();
      const steps = Array.from({ length: 4 }, () => {
        const at = random(2);
        const partner = tiers.partners[at];
        if (!partner) throw new Error('No partner');
        return anyStep(partner, at, contractsChanged);
      });
      const codes = await Promise.all(steps.map(async ({ run }) => run()));
      await untilTiersAgree(databases, tiers);
      const after = await actual();
      const ends = ordersOf(steps.map((step, n) => ({ step, code: codes[n] }))).flatMap((order) => {
        let model = before;
        for (const { code, step } of order) {
          const [modelled, next] = step.model(model);
          if (modelled !== code) return [];
          model = next;
        }
        return [JSON.stringify(model)];
      });
      const told = steps.map(({ name }, n) => `${name}: ${codes[n]}`).join('; ');
      expect(ends, `${JSON.stringify(before)}: ${told}`).toContain(JSON.stringify(after));
      for (const code of codes) seen.add(String(code));
      before = after;
    }
    expect([...seen].sort()).toEqual(['E40008', 'E40016', 'E40023', 'done']);
    await disconnect(databases);
  });
});

describe('When everything is killed at a step of a change to fewer licences', () => {
  const [had, wanted] = [4, 2];
  let tiers: LicenceTiers;
  let partner: TierPartner;
  beforeAll(async () => {
    tiers = await makeLicenceTiers('stepwise', () => product);
    const [first] = tiers.partners;
    if (!first) throw new Error('No partner');
    partner = first;
  });

  const contract = async (licenseCount: number) =>
    tiers.call('PUT', `/v1/admin/partners/${partner.id}`, { license_count: licenseCount });

  /** Whoever wants the row waits until `free` is called, or the connection ends. */
  async function keepRow(client: Client, table: string): Promise<{ free(): Promise<void> }> {
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${table} WHERE partner_id = $1 FOR UPDATE`, [partner.id]);
    return { free: async () => void (await client.query('COMMIT')) };
  }
  const isThere = async (client: Client, sql: string) =>
    expect
      .poll(async () => (await client.query(sql, [partner.id])).rowCount, { timeout: 10_000, interval: 5 })
      .toBe(1);

  test.each([
    ['the question is asked and not seen', 1, had],
    ['the user service holds the limit, and its answer is not seen', 2, had],
    ['the answer is stored, and the contract is not changed', 3, had],
    ['the contract is changed, and the user service does not know', 4, wanted],
  ])(
    'then, where %s, all licences of one contract can be used, and it can be changed',
    {
      timeout: 60_000,
    },
    async (_, step, count) => {
      expect((await contract(had)).status).toBe(200);
      const [tenant, user, gate] = await Promise.all([
        connectAsService(product, 'tenant'),
        connectAsService(product, 'user'),
        connectAsService(product, 'tenant'),
      ]);
      const looking = await connect();
      for (const client of [tenant, user, gate]) client.on('error', () => undefined);
      await untilTiersAgree(looking, tiers);

      const unseen = await keepRow(user, 'partners');
      const change = contract(wanted).catch(() => undefined);
      await isThere(looking.tenant, 'SELECT FROM licence_holds WHERE partner_id = $1');
      if (step > 1) {
        const unheard = await keepRow(tenant, 'licence_holds');
        await unseen.free();
        await isThere(looking.user, 'SELECT FROM licence_holds WHERE partner_id = $1');
        if (step > 2) {
          const unchanged = await keepRow(gate, 'partners');
          await unheard.free();
          await isThere(
            looking.tenant,
            `SELECT FROM licence_holds WHERE partner_id = $1 AND status = 'held'`,
          );
          if (step > 3) {
            await keepRow(user, 'partners');
            await unchanged.free();
            await isThere(
              looking.tenant,
              `SELECT FROM partners WHERE partner_id = $1 AND license_count = ${wanted}`,
            );
          }
        }
      }
      await product.kill({ sparePostgres: step % 2 === 0 });
      await change;
      await Promise.allSettled([tenant.end(), user.end(), gate.end(), disconnect(looking)]);
      // Nobody has to wait for the holds of the dead to be over.
      aheadMs += 60_000;
      await product.start({ CLOCK_OFFSET_MS: String(aheadMs) });

      const databases = await connect();
      await untilTiersAgree(databases, tiers);
      expect((await contractOf(databases, partner.id)).count).toBe(count);
      const made = await Promise.all(
        Array.from({ length: had + 1 }, async (_, n) =>
          createUser(tiers, partner, `s${step}-${n}@example.com`),
        ),
      );
      expect(made.map(({ code }) => code).sort()).toEqual([
        ...Array.from({ length: had + 1 - count }, () => 'E40008'),
        ...Array.from({ length: count }, () => 'done'),
      ]);
      const path = `/v1/partner/partners/${partner.id}/users`;
      const ids = made.flatMap(({ code, id }) => (code === 'done' && id ? [id] : []));
      expect((await tiers.call('DELETE', path, { ids }, partner.token)).status).toBe(200);
      await untilTiersAgree(databases, tiers);
      expect((await contract(1)).status).toBe(200);
      await disconnect(databases);
    },
  );
});

describe('When many change all tiers at once and everything is killed', () => {
  const rounds = 3;
  const callers = 8;

  test('then none passes another, and all figures agree', { timeout: 240_000 }, async () => {
    const tiers = await makeLicenceTiers('licences', () => product);
    const passed: string[] = [];
    let looks = 0;
    const wanted = [
      'create done',
      'create refused',
      'count done',
      'count refused',
      'type done',
      'allocation done',
      'allocation refused',
    ];
    const hasSeenAll = () => looks > rounds * 10 && wanted.every((outcome) => tiers.outcomes.has(outcome));
    for (let round = 0; round < rounds; round += 1) {
      const databases = await connect();
      const acting = new AbortController();
      const all = Promise.allSettled([
        ...Array.from({ length: callers }, async () => {
          while (!acting.signal.aborted) await tiers.act();
        }),
        (async () => {
          while (!acting.signal.aborted) {
            passed.push(...(await tiers.look(databases)));
            looks += 1;
          }
        })(),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 3_000 + round * 217));
      // The last round ends in peace, once everything has happened that is to be seen.
      const dies = round < rounds - 1;
      for (const deadline = Date.now() + 60_000; !dies && !hasSeenAll() && Date.now() < deadline; )
        await new Promise((resolve) => setTimeout(resolve, 200));
      if (dies) await product.kill({ sparePostgres: round % 2 === 0 });
      acting.abort();
      await all;
      await disconnect(databases);
      if (!dies) continue;
      await product.start({ CLOCK_OFFSET_MS: String(aheadMs) });
      const again = await connect();
      passed.push(...(await tiers.look(again)));
      await disconnect(again);
    }
    expect(passed).toEqual([]);
    expect(looks).toBeGreaterThan(rounds * 10);
    expect([...tiers.outcomes.keys()]).toEqual(expect.arrayContaining(wanted));

    const databases = await connect();
    // What died left nothing held, once nobody waits for it.
    await untilTiersAgree(databases, tiers);
    let given = 0;
    for (const { id, token } of tiers.partners) {
      const { count, type } = await contractOf(databases, id);
      given += count;
      const used = await usedOf(databases, id, type);
      const remaining = async () =>
        (await tiers.call('GET', `/v1/partner/partners/${id}/summary`, undefined, token)).body;
      await expect
        .poll(remaining, { timeout: 20_000, interval: 200 })
        .toMatchObject({ licenseCount: count, licenseType: type, licenseRemaining: count - used });
    }
    const unit = await tiers.call('GET', `/v1/admin/outsourcing/units/${tiers.unitId}`);
    expect(unit.body.consumedLicense).toBe(given);

    // Exactly what is left can be taken.
    const [partner] = tiers.partners;
    if (!partner) throw new Error('No partner');
    const { count } = await contractOf(databases, partner.id);
    // Where devices counted, there may be more users than licences.
    const tooMany = Math.max(0, (await usedOf(databases, partner.id, 'user')) - count);
    if (tooMany > 0) {
      const ids = partner.users.slice(0, tooMany);
      const path = `/v1/partner/partners/${partner.id}/users`;
      expect((await tiers.call('DELETE', path, { ids }, partner.token)).status).toBe(200);
    }
    const byUsers = async () =>
      (await tiers.call('PUT', `/v1/admin/partners/${partner.id}`, { license_type: 'user' })).status;
    await expect.poll(byUsers).toBe(200);
    const left = count - (await usedOf(databases, partner.id, 'user'));
    const made = await Promise.all(
      Array.from({ length: left + 3 }, async (_, n) => createUser(tiers, partner, `last-${n}@example.com`)),
    );
    expect(made.filter(({ code }) => code === 'done')).toHaveLength(left);
    await disconnect(databases);
  });
});
