import { documentEvents, databaseRoutes as routes } from '@portal/contracts';
import { adminActor, keyExchange, partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentHarness, operator, refusal, startDocumentHarness } from './document-harness.ts';

let harness: DocumentHarness;
beforeAll(async () => {
  harness = await startDocumentHarness();
}, 60_000);
afterAll(async () => harness.stop());

const withKey = (apiKey: string) => ({ headers: { 'x-api-key': apiKey } });

describe('The key of a database', () => {
  test('is shown to company admins and to who has it, never to developers, senders of pushes or other administrators', async () => {
    const { admin, apiKey, db, developer, pid, sender } = await harness.partnerWithDatabase();
    const get = async (request: object, actor?: Parameters<typeof harness.call>[2]) =>
      harness.call(routes.getOwnDatabaseKey, { params: { db }, ...request }, actor);
    expect((await get({}, admin)).body).toEqual({ apiKey });
    expect((await get(withKey(apiKey))).body).toEqual({ apiKey });
    for (const actor of [developer, sender]) {
      expect(refusal((await get({}, actor)) as never)).toEqual([403, 'E40301']);
    }
    expect(refusal((await get({}, operator)) as never)).toEqual([401, 'E40102']);
    const own = await harness.call(routes.getOwnDatabase, {}, developer);
    expect(own.body).toMatchObject({ db, readable: true, writable: true });
    expect(JSON.stringify(own.body)).not.toContain(apiKey);
    const reader = adminActor({ role: 15 });
    expect(refusal(await harness.refused(routes.listDatabases, {}, reader))).toEqual([403, 'E40301']);
    const seen = await harness.call(routes.getDatabase, { params: { pid } }, reader);
    expect(seen.body).toMatchObject({ db, apiKey: null });
  });

  test('is none: 401; a wrong one: 400, whether or not the database exists', async () => {
    const { apiKey, db } = await harness.partnerWithDatabase();
    const none = await harness.refused(routes.getOwnDatabaseKey, { params: { db } });
    expect(refusal(none)).toEqual([401, 'E40101']);
    const last = apiKey.at(-1) === 'A' ? 'B' : 'A';
    const wrong = [
      `${apiKey.slice(0, -1)}${last}`,
      apiKey.slice(0, -1),
      `${apiKey}A`,
      'demo-api-key',
      ' ',
      'x'.repeat(5_000),
    ];
    for (const key of wrong) {
      for (const name of [db, 'd1zzzzzz']) {
        const refused = await harness.refused(routes.getOwnDatabaseKey, {
          params: { db: name },
          ...withKey(key),
        });
        expect(refusal(refused), `${key.slice(0, 60)} ${name}`).toEqual([400, 'E40033']);
      }
    }
  });

  test('stops at once when another is made, which works', async () => {
    const { admin, apiKey, db, pid } = await harness.partnerWithDatabase();
    const uses = async (key: string) => refusal(await harness.refused(routes.getOwnDatabase, withKey(key)));
    expect(await uses(apiKey)).toEqual([200]);
    let last = apiKey;
    for (const renew of [
      async () => harness.call(routes.renewDatabaseKey, { params: { pid } }, operator),
      async () => harness.call(routes.renewOwnDatabaseKey, { params: { db } }, admin),
      async () => harness.call(routes.renewOwnDatabaseKey, { params: { db }, ...withKey(last) }),
    ]) {
      const { body, status } = await renew();
      expect(status).toBe(200);
      expect(body.apiKey).not.toBe(last);
      expect(await uses(last)).toEqual([400, 'E40033']);
      expect(await uses(body.apiKey)).toEqual([200]);
      last = body.apiKey;
    }
    const { body } = await harness.call(routes.getDatabase, { params: { pid } }, operator);
    expect(body.apiKey).toBe(last);
  });

  test('stops as soon as another instance tells of another one', async () => {
    const { apiKey, db, pid } = await harness.partnerWithDatabase();
    await harness.settled();
    const uses = async () => refusal(await harness.refused(routes.getOwnDatabase, withKey(apiKey)));
    // In memory for seconds from now on, unless it is told.
    expect(await uses()).toEqual([200]);
    await harness.sql(`UPDATE databases SET key_hash = sha256('another') WHERE partner_id = $1`, pid);
    const data = { ...documentEvents.databaseUpdated.example, partnerId: pid, db, revision: 2 };
    await harness.deliver(documentEvents.databaseUpdated, { subject: pid, partnerId: pid, data });
    expect(await uses()).toEqual([400, 'E40033']);
  });

  test('opens the database of its tenant alone', async () => {
    const mine = await harness.partnerWithDatabase();
    const theirs = await harness.partnerWithDatabase();
    for (const contract of [routes.getOwnDatabaseKey, routes.renewOwnDatabaseKey] as const) {
      const foreign = { params: { db: theirs.db } };
      expect(refusal(await harness.refused(contract, { ...foreign, ...withKey(mine.apiKey) }))).toEqual([
        404,
        'E40401',
      ]);
      expect(refusal(await harness.refused(contract, foreign, mine.admin))).toEqual([404, 'E40401']);
    }
    for (const db of [
      'd1zzzzzz',
      'admin',
      '__proto__',
      `${mine.db}0`,
      mine.db.toUpperCase(),
      'x'.repeat(400),
    ]) {
      const refused = await harness.refused(routes.getOwnDatabaseKey, {
        params: { db },
        ...withKey(mine.apiKey),
      });
      expect(refusal(refused), db).toEqual([404, 'E40401']);
    }
  });
});

describe('The contract of a database', () => {
  test('ends one day after its end for who writes, and 30 days later for who reads', async () => {
    const { apiKey, db, pid } = await harness.partnerWithDatabase();
    const now = harness.clock.now().getTime();
    const day = 24 * 3_600_000;
    const endsAgo = async (days: number) => {
      const expireDate = `${new Date(now - days * day).toISOString().slice(0, 19)}Z`;
      await harness.call(routes.updateDatabase, { params: { pid }, body: { expireDate } }, operator);
      const { body } = await harness.call(routes.getOwnDatabase, withKey(apiKey));
      const key = await harness.refused(routes.getOwnDatabaseKey, { params: { db }, ...withKey(apiKey) });
      return [body.readable, body.writable, ...refusal(key)];
    };
    expect(await endsAgo(0.9)).toEqual([true, true, 200]);
    expect(await endsAgo(1.1)).toEqual([true, false, 200]);
    expect(await endsAgo(30.9)).toEqual([true, false, 200]);
    expect(await endsAgo(31.1)).toEqual([false, false, 403, 'E40302']);
    await harness.call(
      routes.updateDatabase,
      { params: { pid }, body: { contractStatus: 0, expireDate: '2027-01-01T00:00:00Z' } },
      operator,
    );
    const taken = await harness.refused(routes.getOwnDatabaseKey, { params: { db }, ...withKey(apiKey) });
    expect(refusal(taken)).toEqual([403, 'E40304']);
  });

  test('is worth nothing where the rank of the tenant has no document databases', async () => {
    const { pid } = await harness.partner({ contractRank: 'standard' });
    const admin = partnerActor({ partnerId: pid });
    expect(refusal(await harness.refused(routes.getOwnDatabase, {}, admin))).toEqual([403, 'E40304']);
  });

  test('is what a partner without a database does not have', async () => {
    const { admin } = await harness.partner();
    expect(refusal(await harness.refused(routes.getOwnDatabase, {}, admin))).toEqual([404, 'E40401']);
  });
});

test('What another encryption key has sealed of keys is sealed with the first', async () => {
  const { env, former, present } = keyExchange();
  const changing = await startDocumentHarness({ env });
  try {
    const { apiKey, pid } = await changing.partnerWithDatabase();
    const of = `document database ${pid}`;
    await changing.sql('UPDATE databases SET api_key = $1', former.seal(apiKey, of));
    await changing.runJobs();
    const [row] = await changing.sql<{ api_key: Buffer }>('SELECT api_key FROM databases');
    expect(row && present.open(row.api_key, of)).toBe(apiKey);
  } finally {
    await changing.stop();
  }
});
