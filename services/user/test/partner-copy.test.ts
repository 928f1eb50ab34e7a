import { companyAdminRoutes, tenantEvents } from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { enterScope, withClient } from '@portal/database';
import { implement, systemScope } from '@portal/service-kit';
import { partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { userService } from '../src/service.ts';
import { stateOf } from './user-harness.ts';

let harness: ServiceHarness;
/** What the tenant service answers, once it does. */
let answer: { asked: PromiseWithResolvers<void>; given: PromiseWithResolvers<ReturnType<typeof stateOf>> };
let pid = 100;

beforeAll(async () => {
  harness = await startServiceHarness(userService, {
    peers: [
      implement(findPartner, async () => {
        answer.asked.resolve();
        return answer.given.promise;
      }),
    ],
  });
});
afterAll(async () => harness.stop());

beforeEach(() => {
  pid += 1;
  answer = { asked: Promise.withResolvers(), given: Promise.withResolvers() };
});

const state = (revision: number) => stateOf(pid, { revision, licenseCount: revision * 10 });
/** Makes an administrator of the partner: the service has to know the partner, and asks. */
const ask = async () =>
  harness.refused(
    companyAdminRoutes.createCompanyAdmin,
    { params: { pid }, body: { name: 'Admin', email: 'admin@example.com' } },
    partnerActor({ partnerId: pid }),
  );
const tellUpdated = async (revision: number) =>
  harness.deliver(tenantEvents.partnerUpdated, { subject: pid, partnerId: pid, data: state(revision) });
const tellDeleted = async () =>
  harness.deliver(tenantEvents.partnerDeleted, { subject: pid, partnerId: pid, data: { partnerId: pid } });
const kept = async () =>
  (await harness.sql('SELECT license_count FROM partners WHERE partner_id = $1', pid)).map(
    ({ license_count: count }) => Number(count) / 10,
  );

describe('When the tenant service is asked about a partner', () => {
  it('and an event tells of a change before the answer comes, then the change stays', async () => {
    const asking = ask();
    await answer.asked.promise;
    await tellUpdated(2);
    answer.given.resolve(state(1));
    expect((await asking).status).toBe(201);
    expect(await kept()).toEqual([2]);
  });

  it('and an event of before the answer comes later, then the answer stays', async () => {
    answer.given.resolve(state(3));
    expect((await ask()).status).toBe(201);
    await tellUpdated(2);
    expect(await kept()).toEqual([3]);
    await tellUpdated(4);
    expect(await kept()).toEqual([4]);
  });

  it('and the answer has no revision, then what an event told before it stays', async () => {
    const asking = ask();
    await answer.asked.promise;
    await tellUpdated(2);
    answer.given.resolve(stateOf(pid, { licenseCount: 10 }));
    expect((await asking).status).toBe(201);
    expect(await kept()).toEqual([2]);
  });

  it('and it is deleted before the answer comes, then there is none, whatever comes after', async () => {
    const asking = ask();
    await answer.asked.promise;
    await tellDeleted();
    answer.given.resolve(state(1));
    expect((await asking).body.code).toBe('E40102');
    await tellUpdated(7);
    expect(await kept()).toEqual([]);
    expect((await ask()).body.code).toBe('E40102');
  });

  it('and it was known and is deleted, then it is gone', async () => {
    await tellUpdated(1);
    await tellDeleted();
    expect(await kept()).toEqual([]);
    answer.given.resolve(state(1));
    expect((await ask()).body.code).toBe('E40102');
  });
});

describe('When an answer and an event are kept at the same moment', () => {
  /** Another instance has kept a revision, and has not committed: `meanwhile` must wait for it. */
  async function whileKept(revision: number, meanwhile: () => Promise<unknown>): Promise<void> {
    let done: Promise<unknown> = Promise.resolve();
    await withClient(harness.databaseUrl, async (other) => {
      await enterScope(other, harness.databaseUrl, systemScope('another instance'));
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO messaging.copy (name, id, partner_id, revision) VALUES ('keep-partners', $1, $1, $2)`,
        [pid, revision],
      );
      await other.query(
        `INSERT INTO partners (partner_id, unit_id, contract_rank, license_type, license_count, user_device_limit)
         VALUES ($1, 1, 'entry', 'user', $2, 0)`,
        [pid, revision * 10],
      );
      done = meanwhile();
      await expect
        .poll(async () => harness.sql(`SELECT 1 FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()`))
        .not.toEqual([]);
      await other.query('COMMIT');
    });
    await done;
  }

  it('then an older answer that had to wait is dropped', async () => {
    answer.given.resolve(state(1));
    await whileKept(2, ask);
    expect(await kept()).toEqual([2]);
  });

  it('then a newer event that had to wait is kept', async () => {
    await whileKept(1, async () => tellUpdated(2));
    expect(await kept()).toEqual([2]);
  });
});
